// Shapes that are to be dragged into boxes. Needs shapes.js and dragging.js.
"use strict";
const sorting = (() => {
  const { sample, svg } = core;
  const KINDS = ["rectangle", "circle", "triangle"];
  const BIN = 20, COLUMNS = 7, R = 8;

  const apart = (one, other) => one.x >= other.x + other.width || other.x >= one.x + one.width
    || one.y >= other.y + other.height || other.y >= one.y + one.height;

  /** The picture of some boxes, {name, x, y, width, height}, and of so many shapes in these rows of
   * a grid, outside of the boxes. Returns the shapes, {kind, color, box}. */
  const show = (task, { height, boxes, rows, count }) => {
    const size = { width: 160, height };
    const free = rows.flatMap((row) => Array.from({ length: COLUMNS }, (_, column) =>
      ({ x: column * BIN, y: row * BIN, width: BIN, height: BIN })))
      .filter((bin) => boxes.every((box) => apart(bin, box)));
    const drawn = core.several(free, count).map(({ x, y }) => {
      const kind = sample(KINDS), color = sample(shapes.COLORS), mid = BIN / 2;
      const box = { x: x + mid - R, y: y + mid - R, width: 2 * R, height: 2 * R };
      const element = shapes.figure(kind, x + mid, y + mid, R, { fill: color });
      dragging.part(task, size, element, kind, box);
      return { kind, color, box, element };
    });
    const frames = boxes.map(({ name, id, ...box }) => svg("rect", { ...box, id: id ?? false,
      class: "shape-container", fill: "none", stroke: "black", "stroke-width": 2, tabindex: 0,
      "aria-label": dragging.told(name, box) }));
    task.area.append(dragging.board(size, {}, svg("svg", { id: "area_svg", ...size },
      ...frames, ...drawn.map(({ element }) => element))));
    return drawn;
  };

  /** Whether a shape is in a box: most of it, for its middle counts. */
  const inside = ({ box }, { x, y, width, height }) =>
    box.x + R > x && box.x + R < x + width && box.y + R > y && box.y + R < y + height;

  return Object.freeze({ inside, show });
})();
