// Pictures whose places count. Their names tell what is drawn where, in pixels from the upper left
// corner; a user marks a point on one, or draws on it, and presses Submit.
"use strict";
const picture = (() => {
  const { make, svg } = core;

  const named = (width, height, things = []) =>
    [`picture ${width} x ${height}`, things.join("; ")].filter(Boolean).join(": ");
  /** A picture of this size; `tell` says in its name what is on it. */
  const sheet = (id, width, height, ...parts) => svg("svg", {
    id, class: "picture", width, height, role: "application", "aria-label": named(width, height),
  }, ...parts);
  const tell = (of, ...things) => {
    of.setAttribute("aria-label", named(of.getAttribute("width"), of.getAttribute("height"), things));
  };
  /** A square picture whose parts are elements of their own, in a box that takes places: {box, drawing}. */
  const board = (task, size, ...parts) => {
    const drawing = svg("svg", { id: "area_svg", width: size, height: size }, ...parts);
    const box = make("div", { class: "picture", role: "application", tabindex: 0,
      "aria-label": named(size, size), style: `width: ${size}px` }, drawing);
    task.area.append(box);
    return { box, drawing };
  };

  /** A point as a name tells it. */
  const at = ({ x, y }) => `(${Math.round(x)}, ${Math.round(y)})`;
  /** Where an event of the mouse is on an element. */
  const place = (of, { clientX, clientY }) => {
    const { left, top } = of.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  const distance = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);
  /** The angle at `vertex` between two points, in degrees; NaN where one of them is the vertex. */
  const angle = (one, vertex, other) => {
    if (!distance(one, vertex) || !distance(other, vertex)) return NaN;
    const [a, b] = [one, other].map((end) => Math.atan2(end.y - vertex.y, end.x - vertex.x));
    const turned = Math.abs(a - b) * 180 / Math.PI;
    return Math.min(turned, 360 - turned);
  };

  const dot = ({ x, y }, fill, look = {}) => svg("circle", { cx: x, cy: y, r: 3.5, fill, ...look });
  const line = (from, to, stroke, look = {}) =>
    svg("line", { x1: from.x, y1: from.y, x2: to.x, y2: to.y, stroke, ...look });

  /** The picture and its button below; `worth` is the reward at any time. */
  const submitted = (task, canvas, worth) => {
    const button = make("button", { id: "subbtn", class: "main" }, "Submit");
    task.area.append(canvas, make("div", { class: "below" }, button));
    task.controls(() => [worth() === 1]);
    task.on(button, "click", () => task.end(worth()));
  };

  /** The user marks a point, anew with each click. `parts` are drawn, and `told`; lines lead from the
      mark to each of `ends`; `reward` is what a marked point is worth, and nothing marked is -1. Needs
      pixels.js. */
  const mark = (task, { parts, told, ends = [], reward }) => {
    const canvas = sheet("svg-grid", 150, 130, ...parts);
    const { shown, draw: drawAnew } = pixels.view(task, canvas);
    let [marked, drawn] = [null, []];
    tell(canvas, ...told);
    task.on(shown, "click", (event) => {
      marked = place(shown, event);
      for (const old of drawn) old.remove();
      drawn = [...ends.map((end) => line(marked, end, "blue", { class: "blue" })),
        dot(marked, "blue", { id: "blue-circle", class: "blue" })];
      canvas.append(...drawn);
      const joined = ends.length ? `, joined to ${ends.map(at).join(" and ")}` : "";
      tell(canvas, ...told, `marked point ${at(marked)}${joined}`);
      drawAnew();
    });
    submitted(task, shown, () => (marked ? reward(marked) : -1));
  };

  /** The user draws by dragging, anew with each press, on a picture with one dot; `reward(points,
      dot)` is what a path is worth, and nothing drawn is -1. */
  const draw = (task, fill, reward) => {
    const middle = { x: core.randi(30, 131), y: core.randi(30, 91) };
    const told = `${fill} dot ${at(middle)}`;
    const path = svg("path", { class: "drawn" });
    const canvas = sheet("sketch", 150, 110, dot(middle, fill, { id: "circ", r: 4 }), path);
    let points = [];
    const show = () => {
      path.setAttribute("d", points.map(({ x, y }, n) => `${n ? "L" : "M"}${x} ${y}`).join(""));
      const { left, right, top, bottom } = extent(points);
      tell(canvas, told, `drawn from ${at(points[0])} to ${at(points.at(-1))}, `
        + `x from ${left} to ${right}, y from ${top} to ${bottom}`);
    };
    tell(canvas, told);
    task.on(canvas, "mousedown", (event) => event.preventDefault());
    task.on(canvas, "pointerdown", (event) => {
      if (event.button) return;
      canvas.setPointerCapture(event.pointerId);
      points = [place(canvas, event)];
      show();
    });
    task.on(canvas, "pointermove", (event) => {
      if (!canvas.hasPointerCapture(event.pointerId)) return;
      points.push(place(canvas, event));
      show();
    });
    submitted(task, canvas, () => (points.length > 1 ? reward(points, middle) : -1));
  };

  /** The rounded edges of what holds all points. */
  const extent = (points) => {
    const [across, down] = ["x", "y"].map((key) => points.map((point) => Math.round(point[key])));
    return {
      left: Math.min(...across), right: Math.max(...across),
      top: Math.min(...down), bottom: Math.max(...down),
    };
  };
  /** The standard deviation. */
  const spread = (numbers) => {
    const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
    return Math.sqrt(numbers.reduce((sum, number) => sum + (number - mean) ** 2, 0) / numbers.length);
  };

  /** `steps` lists [limit, worth]: the worth of the first limit that an amount is below, or `beyond`. */
  const graded = (amount, steps, beyond) => (steps.find(([limit]) => amount < limit) ?? [0, beyond])[1];

  return Object.freeze({
    sheet, tell, board, at, place, distance, angle, dot, line, mark, draw, extent, spread, graded,
  });
})();
