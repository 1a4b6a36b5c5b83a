// A small mail program: a list, a search, an opened mail, a reply and a forward.
"use strict";
const mail = (() => {
  const { make, svg } = core;
  const SHOWN = 15;
  const ICONS = {
    trash: "M3 4h10M6 4V2.5h4V4M4.5 4l.6 9.5h5.8l.6-9.5M6.7 6.5v5M9.3 6.5v5",
    star: "M8 1.8l1.9 3.9 4.3.6-3.1 3 .7 4.2L8 11.5l-3.8 2 .7-4.2-3.1-3 4.3-.6z",
    reply: "M7 3.5L2.5 7.5 7 11.5M3 7.5h6c3 0 4.5 1.8 4.5 5",
    forward: "M9 3.5l4.5 4L9 11.5M13 7.5H7c-3 0-4.5 1.8-4.5 5",
    search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3l3.7 3.7",
    close: "M9.5 3L4.5 8l5 5",
  };

  /** A picture that can be pressed; `name` is what it is called, `id` or `class` how it is found. */
  const icon = (kind, name, attributes) => make("span",
    { role: "button", "aria-label": name, title: name, ...attributes,
      class: `icon ${attributes.class || kind}` },
    svg("svg", { viewBox: "0 0 16 16", width: 13, height: 13 }, svg("path", { d: ICONS[kind] })));

  /** So many mails by different people. */
  const draw = (count) => core.several(words.NAMES, count).map((sender) => ({
    sender, subject: words.text(core.randi(2, 4)), body: words.text(core.randi(8, 20)),
  }));

  const short = (text) => (text.length > SHOWN ? `${text.slice(0, SHOWN)}..` : text);

  /** Show the mails. `wanted` is what ends the task well: {sender, doing, text}, where `doing` is
   * reply, forward, trash or star, and `text` the reply or the new receiver. */
  const open = (task, mails, wanted) => {
    const views = ["main", "search", "email", "reply", "forward"].map((id) => make("div", { id }));
    const [list, search, letter, reply, forward] = views;
    task.area.append(...views);
    const turn = (view) => views.forEach((each) => {
      each.hidden = each !== view;
    });

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
      }
    });
    const marks = (one) => ["trash", "star"].map((kind) => touch(kind, one,
      icon(kind, `${kind} ${one.sender}`, { "aria-pressed": kind === "star" && String(Boolean(one.starred)) })));
    const send = (one, doing, text) =>
      task.end(wanted.doing === doing && one.sender === wanted.sender && wanted.text === text);

    const thread = (one) => make("div", { class: "email-thread", "data-index": mails.indexOf(one) },
      press(make("div", { class: "email-left", role: "link" },
        make("div", { class: "email-sender" }, one.sender), " ",
        make("div", { class: "email-subject" }, one.subject), " ",
        make("div", { class: "email-body" }, short(one.body))), () => read(one)),
      make("div", { class: "email-right" }, ...marks(one)));
    const bar = (title, ...icons) => make("div", { class: "bar" }, make("b", {}, title), ...icons);

    const turnToList = () => {
      list.replaceChildren(
        bar("Primary", press(icon("search", "search", { id: "open-search" }), turnToSearch)),
        ...mails.filter((one) => !one.gone).map(thread));
      turn(list);
    };
    const turnToSearch = () => {
      const field = make("input", { type: "text", id: "search-input", "aria-label": "Search" });
      const results = make("div", { id: "search-results" });
      const find = () => results.replaceChildren(...mails.filter((one) => !one.gone && field.value
        && one.sender.toLowerCase().includes(field.value.toLowerCase())).map(thread));
      task.on(field, "input", find);
      search.replaceChildren(make("div", { class: "bar" },
        press(icon("close", "close search", { id: "close-search" }), turnToList), field), results);
      turn(search);
      field.focus();
    };
    const read = (one) => {
      letter.replaceChildren(
        bar("", press(icon("close", "close email", { id: "close-email" }), turnToList), ...marks(one)),
        make("h4", { class: "email-subject" }, one.subject),
        make("div", { class: "email-sender" }, one.sender),
        make("div", { class: "email-body" }, one.body),
        make("div", { class: "email-send" },
          press(make("button", { class: "email-reply" }, "Reply"), () => write(one)),
          press(make("button", { class: "email-forward" }, "Forward"), () => pass(one))));
      turn(letter);
    };
    const sender = (id, name) => press(icon(name, `send ${name}`, { id, class: "send" }), () => {});
    const write = (one) => {
      const text = make("textarea", { id: "reply-text", rows: 4, "aria-label": "Reply" });
      reply.replaceChildren(
        bar("", press(icon("close", "close reply", { id: "close-reply" }), () => read(one)),
          press(sender("send-reply", "reply"), () => send(one, "reply", text.value))),
        make("div", { class: "reply-subject" }, `to: ${one.sender}`), text);
      turn(reply);
    };
    const pass = (one) => {
      const to = make("input", { type: "text", class: "forward-sender", "aria-label": "To" });
      const text = make("textarea", { id: "forward-text", rows: 4, "aria-label": "Text" });
      text.value = one.body;
      forward.replaceChildren(
        bar("", press(icon("close", "close forward", { id: "close-forward" }), () => read(one)),
          press(sender("send-forward", "forward"), () => send(one, "forward",
            text.value === one.body ? to.value : null))),
        make("label", { class: "row" }, "to:", to), text);
      turn(forward);
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
