// Posts of people, with what can be done to each.
"use strict";
const posts = (() => {
  const { make, svg } = core;
  const NAMES = { reply: "Reply", retweet: "Retweet", like: "Like", share: "Share", more: "More" };
  const ICONS = {
    reply: "M2.5 3.5h11v7.5H8L5 13.5V11H2.5z",
    retweet: "M2 6.5l2.5-2.5L7 6.5M4.5 4.5V11H9M9 9.5l2.5 2.5L14 9.5M11.5 11.5V5H7",
    like: "M8 13.2L3 8.4a2.9 2.9 0 0 1 4.1-4.1l.9.9.9-.9A2.9 2.9 0 0 1 13 8.4z",
    share: "M8 9.5V2.5M5.5 4.8L8 2.3l2.5 2.5M3.5 8v5h9V8",
    more: "M3 8h.6M7.7 8h.6M12.4 8h.6",
  };

  /** So many people: {name, user}, where `user` begins with @. */
  const people = (count) => core.several(words.FIRST_NAMES, count)
    .map((name) => ({ name, user: `@${name.toLowerCase()}` }));

  const icon = (kind, user) => {
    const name = `${NAMES[kind]} ${user}`;
    return make("span", { class: `icon ${kind}`, role: "button", "aria-label": name, title: name },
      svg("svg", { viewBox: "0 0 16 16", width: 13, height: 13 }, svg("path", { d: ICONS[kind] })));
  };

  /** A post by somebody, the `n`th, with icons of these kinds. `press(kind, icon, post)` is called
   * when one is clicked. */
  const post = (task, n, { name, user }, kinds, press) => {
    const icons = kinds.map((kind) => icon(kind, user));
    const made = make("div", { class: "media", "data-result": n },
      make("div", { class: "details" }, make("span", { class: "name" }, name), " ",
        make("span", { class: "username" }, user), " ",
        make("span", { class: "time" }, `${core.randi(1, 24)}h ago`)),
      make("div", { class: "body" }, words.text(core.randi(3, 9))),
      make("div", { class: "controls" }, ...icons));
    icons.forEach((each, at) => task.on(each, "click", () => press(kinds[at], each, made)));
    return made;
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
    const shown = authors.map((author, n) => post(task, n, author, kinds, press));
    for (const target of shown.flatMap((each) => [...each.querySelectorAll(".icon")])) {
      target.setAttribute("aria-pressed", "false");
    }
    const button = make("button", { id: "subbtn", class: "main" }, "Submit");
    task.area.append(...shown, make("div", { id: "submitRow" }, button));

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
