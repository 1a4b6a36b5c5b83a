// Posts of people, with what can be done to each.
"use strict";
const posts = (() => {
  const { make } = core;
  const NAMES = { reply: "Reply", retweet: "Retweet", like: "Like", share: "Share", more: "More" };
  /** So many people: {name, user}, where `user` begins with @. */
  const people = (count) => core.several(words.FIRST_NAMES, count)
    .map((name) => ({ name, user: `@${name.toLowerCase()}` }));

  /** The `n`th post: {name, user} wrote `text`, `when` that is told; with icons of these kinds.
   * `press(kind, icon)` is called when one is clicked. */
  const post = (task, n, { name, user, when, text }, kinds, press) => {
    const details = make("div", { class: "details" }, make("span", { class: "name" }, name), " ",
      make("span", { class: "username" }, user));
    if (when) details.append(" ", make("span", { class: "time" }, when));
    const icons = kinds.map((kind) => {
      const icon = make("span", { class: kind, role: "button" }, `${NAMES[kind]} ${user}`);
      task.on(icon, "click", () => press(kind, icon));
      return icon;
    });
    return make("div", { class: "media", "data-result": n }, details,
      make("div", { class: "body" }, text), make("div", { class: "controls" }, ...icons));
  };

  /** Ask to press one button on somebody's posts, on all of them or with `some` on a number. */
  const mark = (task, some) => {
    const kinds = ["reply", "retweet", "like", "share"], kind = core.sample(kinds);
    const count = task.easy ? core.randi(3, 6) : core.randi(6, 12);
    const [wanted, ...others] = people(4), theirs = core.randi(2, Math.min(5, count));
    const amount = some ? core.randi(1, theirs + 1) : theirs;
    const where = some ? `${amount} post${amount === 1 ? "" : "s"}` : "all posts";
    task.say(`Click the "${NAMES[kind]}" button on ${where} by ${wanted.user} and then click Submit.`);

    const pressed = new Map();
    const press = (which, target) => {
      const active = target.classList.toggle("active");
      target.setAttribute("aria-pressed", String(active));
      pressed.set(target, active);
    };
    const authors = core.shuffle(Array.from({ length: count },
      (_, n) => (n < theirs ? wanted : core.sample(others))));
    const shown = authors.map((author, n) =>
      post(task, n, { ...author, text: words.text(core.randi(2, 6)) }, kinds, press));
    const button = make("button", { type: "button", id: "subbtn", class: "main" }, "Submit");
    task.area.append(...shown, make("p", { id: "submitRow" }, button));

    const good = shown.filter((_, n) => authors[n] === wanted)
      .map((each) => each.querySelector(`.${kind}`));
    const right = () => {
      const active = [...pressed.keys()].filter((target) => pressed.get(target));
      const hits = active.filter((target) => good.includes(target)).length;
      return [...Array.from({ length: amount }, (_, n) => n < hits), active.length <= amount
        && active.length === hits];
    };
    task.controls(right);
    task.on(button, "click", () => task.end(right().every(Boolean)));
  };

  return Object.freeze({ NAMES, people, post, mark });
})();
