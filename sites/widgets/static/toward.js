// The task of dragging a shape in a direction. Needs shapes.js, dragging.js, entry.js.
"use strict";
const toward = (() => {
  const { randi, sample, svg } = core;
  const COLORS = ["blue", "red", "black", "green", "yellow", "orange", "white"];
  const SIZE = { width: 160, height: 125 };
  /** From where to where the shapes stand at first: there is room on each side. */
  const [LEFT, RIGHT, TOP, BOTTOM] = [20, 140, 20, 100];
  const WAYS = {
    left: (now, first) => now.x < first.x, right: (now, first) => now.x > first.x,
    up: (now, first) => now.y < first.y, down: (now, first) => now.y > first.y,
  };

  /** Ask for a shape of one of these kinds ({kind: [least, most] of half its size}), which the
   * instruction calls so. */
  const ask = (task, called, kinds, { colors = [], look = {} } = {}) => {
    const kind = sample(Object.keys(kinds)), [least, most] = kinds[kind], r = randi(least, most + 1);
    const fill = sample([...COLORS, ...colors]), way = sample(Object.keys(WAYS));
    task.say(`Drag the ${called} ${way} then press Submit.`);

    const x = randi(LEFT + r, RIGHT - r), y = randi(TOP + r, BOTTOM - r);
    const box = { x: x - r, y: y - r, width: 2 * r, height: 2 * r }, first = { ...box };
    const shape = shapes.figure(kind, x, y, r, { fill, stroke: "black", ...look });
    dragging.part(task, SIZE, shape, kind, box);
    task.area.append(
      dragging.board(SIZE, {}, svg("svg", { ...SIZE, class: "drawing" }, shape)),
      entry.button(task, "Submit", () => [WAYS[way](box, first)]));
  };

  return Object.freeze({ ask });
})();
