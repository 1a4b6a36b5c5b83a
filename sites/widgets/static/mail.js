// A small mail program: a list, a search, an opened mail, a reply and a forward.
"use strict";
const mail = (() => {
  const { make } = core;
  const SHOWN = 15;

  /** A picture that can be pressed: `name` is what it is called, its class or id says which it is. */
  const icon = (name, attributes) => make("span", { role: "button", ...attributes }, name);

  /** So many mails by different people. */
  const draw = (count) => core.several(words.NAMES, count).map((sender) => ({
    sender, subject: words.text(core.randi(2, 4)), body: words.text(core.randi(8, 20)),
  }));

  const short = (text) => (text.length > SHOWN ? `${text.slice(0, SHOWN)}..` : text);

  /** Show the mails. `wanted` is what ends the task well: {sender, doing, text}, where `doing` is
   * reply, forward, trash or star, and `text` the reply or the new receiver. */
  const open = (task, mails, wanted) => {
    /** One view at a time is on the page. */
    const show = (view) => task.area.replaceChildren(view);

    const press = (target, handler) => {
      task.on(target, "click", handler);
      return target;
    };
    /** A wrong star or trash does no harm, unless it is the wanted one on another mail. */
    const touch = (kind, one, target) => press(target, () => {
      if (kind === wanted.doing) return task.end(one.sender === wanted.sender);
      if (kind === "trash") {
        one.gone = true;
        turnToList();
      } else {
        one.starred = !one.starred;
        target.setAttribute("aria-pressed", String(one.starred));
        target.classList.toggle("clicked", one.starred);
      }
    });
    const marks = (one) => [
      touch("trash", one, icon(`trash ${one.sender}`, { class: "trash" })),
      touch("star", one, icon(`star ${one.sender}`, { "aria-pressed": String(Boolean(one.starred)),
        class: one.starred ? "star clicked" : "star" })),
    ];
    const send = (one, doing, text) =>
      task.end(wanted.doing === doing && one.sender === wanted.sender && wanted.text === text);

    const thread = (one) => make("div", { class: "email-thread", "data-index": mails.indexOf(one) },
      press(make("div", { class: "email-left", role: "link" },
        make("div", { class: "email-sender" }, one.sender), " ",
        make("div", { class: "email-subject" }, one.subject), " ",
        make("div", { class: "email-body" }, short(one.body))), () => read(one)),
      make("div", { class: "email-right" }, ...marks(one)));
    const bar = (...parts) => make("div", { class: "bar" }, ...parts);

    const turnToList = () => show(make("div", { id: "main" },
      bar(make("b", {}, "Primary"), press(icon("search", { id: "open-search" }), turnToSearch)),
      ...mails.filter((one) => !one.gone).map(thread)));
    const turnToSearch = () => {
      const field = make("input", { type: "text", id: "search-input", "aria-label": "Search" });
      const results = make("div", { id: "search-results" });
      const find = () => results.replaceChildren(...mails.filter((one) => !one.gone && field.value
        && one.sender.toLowerCase().includes(field.value.toLowerCase())).map(thread));
      task.on(field, "input", find);
      show(make("div", { id: "search" },
        bar(press(icon("close search", { id: "search-cancel" }), turnToList), field), results));
      field.focus();
    };
    const read = (one) => {
      const letter = make("div", { id: "email" },
        bar(press(icon("close email", { id: "close-email" }), turnToList), ...marks(one)),
        make("h4", { class: "email-subject" }, one.subject),
        make("div", { class: "email-sender" }, one.sender),
        make("div", { class: "email-body" }, one.body),
        make("div", { class: "email-send" },
          press(make("span", { class: "email-reply", role: "button" }, "Reply"),
            () => write(one, letter)),
          press(make("span", { class: "email-forward", role: "button" }, "Forward"),
            () => pass(one, letter))));
      show(letter);
    };
    /** A form over an opened mail; `text` gives what is sent when its icon is pressed. */
    const form = (doing, one, letter, text, ...parts) => show(make("div", { id: doing },
      bar(press(icon(`close ${doing}`, { id: `close-${doing}` }), () => show(letter)),
        press(icon(`send ${doing}`, { id: `send-${doing}` }), () => send(one, doing, text()))),
      ...parts));
    const write = (one, letter) => {
      const text = make("textarea", { id: "reply-text", rows: 4, "aria-label": "Reply" });
      form("reply", one, letter, () => text.value,
        make("div", { class: "reply-subject" }, `to: ${one.sender}`), text);
    };
    const pass = (one, letter) => {
      const to = make("input", { type: "text", class: "forward-sender", "aria-label": "To" });
      const text = make("textarea", { id: "forward-text", rows: 4, "aria-label": "Text" });
      text.value = one.body;
      form("forward", one, letter, () => (text.value === one.body ? to.value : null),
        make("label", { class: "row" }, "to:", to), text);
    };
    turnToList();
  };

  /** Ask to do one of `doings` with one of the mails, and show them. */
  const ask = (task, mails, doings = ["reply", "forward", "trash", "star"]) => {
    const { sender } = core.sample(mails), doing = core.sample(doings);
    const reply = words.text(core.randi(3, 6)), to = core.sample(words.NAMES);
    task.say({
      reply: `Find the email by ${sender} and reply to them with the text "${reply}".`,
      forward: `Find the email by ${sender} and forward that email to ${to}.`,
      trash: `Find the email by ${sender} and click the trash icon to delete it.`,
      star: `Find the email by ${sender} and click the star icon to mark it as important.`,
    }[doing]);
    open(task, mails, { sender, doing, text: { reply, forward: to }[doing] });
  };

  return Object.freeze({ draw, open, ask });
})();
