// Boxes with labels, some of which are to be ticked.
"use strict";
const boxes = (() => {
  const { make } = core;

  /** So many different texts of random letters and digits. */
  const labels = (count) => {
    const drawn = new Set();
    while (drawn.size < count) drawn.add(core.text(2, 8));
    return [...drawn];
  };

  /** [label, whether to tick it] pairs; the reward is the share of right boxes, from -1 to 1. In
   * the eased variant all of them must be right. */
  const show = (task, pairs) => {
    const ticks = pairs.map((_, n) => make("input", { type: "checkbox", id: `ch${n}` }));
    const button = make("button", { id: "subbtn", class: "main" }, "Submit");
    task.area.append(make("div", { id: "boxes" },
      ...pairs.map(([label], n) => make("label", {}, ticks[n], label))), button);

    const right = () => pairs.map(([, wanted], n) => ticks[n].checked === wanted);
    task.controls(right);
    task.on(button, "click", () => {
      const share = 1 - 2 * right().filter((good) => !good).length / pairs.length;
      task.end(task.easy ? share === 1 : share);
    });
  };

  /** Ask for `wanted` random ones of `count` random texts, in any order. */
  const ask = (task, count, wanted) => {
    const drawn = labels(count), named = core.several(drawn, wanted);
    task.say(`Select ${named.join(", ") || "nothing"} and click Submit.`);
    show(task, drawn.map((label) => [label, named.includes(label)]));
  };

  return Object.freeze({ ask, labels, show });
})();
