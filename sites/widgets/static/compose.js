// Several tasks on one page, each in a box of its own, told in one instruction.
"use strict";
const compose = (() => {
  const { make } = core;
  core.gather();

  /** `plan`: see `sites/widgets/compositions.py`. It stands in the calling script, which leaves the
   * document, so that nothing there tells the order or what the sign says. */
  const begin = (plan) => {
    document.currentScript.remove();
    const parts = core.parts();
    const seconds = 2 * parts.reduce((sum, part) => sum + part.seconds, 0);
    const inputs = [...new Set(parts.flatMap((part) => part.inputs))];
    core.page((task) => draw(task, parts, plan), { seconds, inputs });
  };

  const spoken = (content) => {
    const box = make("div", {}, ...[content].flat());
    return Array.from(box.childNodes, (node) => node.ariaLabel ?? node.textContent).join(" ")
      .replace(/\s+/g, " ").trim();
  };

  /** What a part's own script works with: its area, and an end that is not the page's. */
  const partOf = (task, area, { say, over, end }) => ({
    area,
    say,
    end,
    easy: task.easy,
    practice: task.practice,
    mode: task.mode,
    on: (target, type, handler) => task.on(target, type, (event) => over() || handler(event)),
    later: (ms, handler) => task.later(ms, () => over() || handler()),
    taint: task.taint,
    controls: () => {},
  });

  const draw = (task, parts, plan) => {
    const { order, spare, paged, telling, sign } = plan;
    const texts = [], ended = [];
    const areas = parts.map(() => make("div", { class: "inner" }));
    const boxes = areas.map((area, n) =>
      make("section", { class: "box", id: `box-${n + 1}` }, make("h2", {}, `Box ${n + 1}`), area));
    const links = parts.map((_, n) => make("button", { class: "to" }, `Go to box ${n + 1}`));

    const show = (shown) => boxes.forEach((box, n) => {
      box.hidden = paged && n !== shown;
      if (paged) links[n].setAttribute("aria-pressed", String(n === shown));
    });
    const end = (n, result) => {
      const next = order[ended.length];
      if (n !== next || (result !== true && result !== 1)) {
        return task.end(false, n === next ? `box ${n + 1} went wrong` : `box ${n + 1} was not next`);
      }
      ended.push(n);
      areas[n].replaceChildren(make("p", { class: "done" }, "Done."));
      if (paged) links[n].append(", done");
      if (ended.length === order.length) task.end(true);
    };

    parts.forEach(({ genProblem }, n) => genProblem(partOf(task, areas[n], {
      say: (content) => (texts[n] = spoken(content)),
      over: () => ended.includes(n),
      end: (result) => end(n, result),
    })));
    links.forEach((link, n) => task.on(link, "click", () => show(n)));
    task.say(telling.map(([mark, n]) => mark + texts[n]).join(" "));
    if (paged) task.area.append(make("nav", {}, ...links));
    if (spare !== null) task.area.append(signOf(task, sign));
    task.area.append(make("div", { class: "boxes" }, ...boxes));
    task.controls(() => order.map((n) => ended.includes(n)));
    show(0);
  };

  /** It shows what it says once it is opened. */
  const signOf = (task, text) => {
    const button = make("button", {}, "Open the sign");
    const holder = make("div", { class: "sign" }, button);
    task.on(button, "click", () => holder.replaceChildren(make("p", {}, `The sign says "${text}".`)));
    return holder;
  };

  return Object.freeze({ begin });
})();
