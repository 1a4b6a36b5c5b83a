// Letters, digits and figures in several colours and sizes on a grid, descriptions of them, and places
// for others.
"use strict";
const shapes = (() => {
  const { chance, randi, sample, svg } = core;
  const COLORS = ["red", "green", "blue", "aqua", "black", "magenta", "yellow"];
  const SIZES = { large: 10, small: 5 };
  const BIN = 20, COLUMNS = 7;
  const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const FIGURES = {
    circle: (x, y, r) => ["circle", { cx: x, cy: y, r }],
    rectangle: (x, y, r) => ["rect", { x: x - r, y: y - r, width: 2 * r, height: 2 * r }],
    triangle: (x, y, r) => ["polygon", { points: `${x - r},${y + r} ${x},${y - r} ${x + r},${y + r}` }],
  };
  const TEXTS = {
    letter: () => sample(LETTERS), digit: () => String(randi(0, 10)),
    shape: () => sample(Object.keys(FIGURES)),
  };

  /** {size, color, type, text} at random; the text of a figure is its name. */
  const invent = () => {
    const type = chance(0.5) ? "letter" : chance(0.4) ? "digit" : "shape";
    return { size: sample(Object.keys(SIZES)), color: sample(COLORS), type, text: TEXTS[type]() };
  };

  /** A figure of this name around a point, `r` from it to each side. */
  const figure = (name, x, y, r, look) => {
    const [tag, place] = FIGURES[name](x, y, r);
    return svg(tag, { ...place, ...look });
  };

  /** The element of a shape around a point; its name leaves the colour to the eye. */
  const element = ({ size, color, type, text }, x, y) => {
    const r = SIZES[size], look = { fill: color, style: "cursor: pointer", "aria-label": `${size} ${text}` };
    if (type !== "shape") {
      return svg("text", { x, y, "text-anchor": "middle", "dominant-baseline": "central",
        "font-size": `${2 * r}px`, ...look }, text);
    }
    return figure(text, x, y, r, look);
  };

  /** So many shapes on a grid of so many rows: {picture, drawn}, `drawn` the shapes with elements. */
  const draw = (count, rows) => {
    const bins = core.several([...Array(COLUMNS * rows).keys()], count);
    const drawn = bins.map((bin) => {
      const shape = invent(), [row, column] = [Math.floor(bin / COLUMNS), bin % COLUMNS];
      return { ...shape, element: element(shape, (column + 0.5) * BIN, (row + 0.5) * BIN) };
    });
    const picture = svg("svg", { id: "area_svg", width: COLUMNS * BIN, height: rows * BIN },
      ...drawn.map((shape) => shape.element));
    return { picture, drawn };
  };

  /** Some words, such as `small red` or `letter`, that are true of this shape. */
  const describe = ({ size, color, type, text }) => {
    const kind = sample([text, type, "item"]);
    const said = [chance(0.5) && size, chance(0.5) && color, kind].filter(Boolean);
    return said.length > 1 || kind !== "item" ? said : describe({ size, color, type, text });
  };

  const fits = ({ size, color, type, text }, said) =>
    said.every((word) => ["item", size, color, type, text].includes(word));

  /** So many places, whole numbers from `from` below `to` both ways, of which any two are `across`
      pixels apart to the side or `down` pixels downwards. */
  const scatter = (count, from, to, across, down) => {
    const found = [];
    for (let tries = 0; found.length < count; tries++) {
      if (tries % 100 === 99) found.length = 0;
      const x = randi(from, to), y = randi(from, to);
      if (found.every((other) => Math.abs(other.x - x) >= across || Math.abs(other.y - y) >= down)) {
        found.push({ x, y });
      }
    }
    return found;
  };

  return Object.freeze({ COLORS, figure, invent, draw, describe, fits, scatter });
})();
