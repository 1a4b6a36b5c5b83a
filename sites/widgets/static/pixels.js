// Pictures in the variant `pixels`: what a page draws as SVG is painted on a canvas, as the style
// sheets say, and is in no document; the page has no name, text or colour of it.
"use strict";
const pixels = (() => {
  const { make } = core;

  const numbers = (part, ...names) => names.map((name) => Number(part.getAttribute(name)));
  const OUTLINES = {
    circle(path, part) {
      const [x, y, r] = numbers(part, "cx", "cy", "r");
      path.arc(x, y, r, 0, 2 * Math.PI);
    },
    rect: (path, part) => path.roundRect(...numbers(part, "x", "y", "width", "height", "rx")),
    line(path, part) {
      const [x1, y1, x2, y2] = numbers(part, "x1", "y1", "x2", "y2");
      path.moveTo(x1, y1);
      path.lineTo(x2, y2);
    },
    polygon: (path, part) => path.addPath(new Path2D(`M${part.getAttribute("points")}Z`)),
    path: (path, part) => path.addPath(new Path2D(part.getAttribute("d"))),
  };
  const outline = (part) => {
    const path = new Path2D();
    OUTLINES[part.localName](path, part);
    return path;
  };

  const family = () => getComputedStyle(document.body).fontFamily;
  const resolved = (value) => value.replace(/var\((--[\w-]+)\)/, (_, name) =>
    getComputedStyle(document.documentElement).getPropertyValue(name));

  /** How a part looks that is in no document: a function of a property's name, and what it is if
   * neither a style sheet nor the part itself says it. */
  const looks = (part) => {
    const rules = Array.from(document.styleSheets, ({ cssRules }) => Array.from(cssRules)).flat()
      .filter(({ selectorText }) => selectorText && part.matches(selectorText));
    return (name, otherwise) => resolved(rules.map(({ style }) => style.getPropertyValue(name))
      .findLast(Boolean) ?? part.getAttribute(name) ?? otherwise);
  };

  /** The shown parts of a picture in the order in which they are painted. */
  const partsOf = (of) => Array.from(of.children).filter((each) => !each.hasAttribute("hidden"))
    .flatMap((each) => (each.localName === "g" ? partsOf(each) : each));

  /** Where a text begins on its base line, and its box. */
  const setText = (ink, part, look) => {
    const [x, y] = numbers(part, "x", "y"), text = part.textContent;
    ink.font = `${look("font-weight", "400")} ${look("font-size", "11px")} ${family()}`;
    const { width, fontBoundingBoxAscent: up, fontBoundingBoxDescent: down } = ink.measureText(text);
    const left = look("text-anchor", "start") === "middle" ? x - width / 2 : x;
    const base = look("dominant-baseline", "auto") === "central" ? y + (up - down) / 2 : y;
    return { text, left, base, width, up, down };
  };

  const paint = (ink, part) => {
    const look = looks(part), [fill, stroke] = [look("fill", "black"), look("stroke", "none")];
    ink.fillStyle = fill;
    ink.strokeStyle = stroke;
    ink.lineWidth = parseFloat(look("stroke-width", "1"));
    ink.lineJoin = look("stroke-linejoin", "miter");
    if (part.localName === "text") {
      const { text, left, base } = setText(ink, part, look);
      if (fill !== "none") ink.fillText(text, left, base);
      if (stroke !== "none") ink.strokeText(text, left, base);
    } else {
      const path = outline(part);
      if (fill !== "none") ink.fill(path);
      if (stroke !== "none") ink.stroke(path);
    }
  };

  const holds = (ink, part, x, y) => {
    const look = looks(part), path = part.localName === "text" ? null : outline(part);
    if (path) return look("fill", "black") !== "none" && ink.isPointInPath(path, x, y);
    const { left, base, width, up, down } = setText(ink, part, look);
    return x >= left && x <= left + width && y >= base - up && y <= base + down;
  };

  /** A picture as the page is to show it: {shown, on, at, draw}. `shown` is the picture itself or, in
   * the variant `pixels`, a canvas of its size; `on(part, handler)` follows a click on a part of it,
   * and `at(event)` is the part that an event is on. `draw()` follows each change of the picture. */
  const view = (task, picture) => (task.pixels ? painted(task, picture) : {
    shown: picture, on: (part, handler) => task.on(part, "click", handler),
    at: ({ target }) => target, draw() {},
  });

  const painted = (task, picture) => {
    const same = (name) => [name, picture.getAttribute(name) ?? false];
    const shown = make("canvas", {
      ...Object.fromEntries(["id", "class", "width", "height"].map(same)),
      role: "img", "aria-label": "picture",
    });
    const ink = shown.getContext("2d", { willReadFrequently: true });
    const [left, top] = (picture.getAttribute("viewBox") ?? "0 0").split(" ").map(Number);

    const draw = () => {
      ink.resetTransform();
      ink.clearRect(0, 0, shown.width, shown.height);
      ink.translate(-left, -top);
      for (const part of partsOf(picture)) paint(ink, part);
      ink.resetTransform();
    };
    const at = ({ offsetX, offsetY }) => partsOf(picture)
      .findLast((part) => holds(ink, part, offsetX + left, offsetY + top));
    const handlers = [];
    const on = (part, handler) => {
      if (!handlers.length) {
        task.on(shown, "click", (event) => {
          const hit = at(event);
          for (const [of, follow] of [...handlers]) if (of.contains(hit)) follow(event);
        });
      }
      handlers.push([part, handler]);
    };
    draw();
    document.fonts.load(`11px ${family()}`).then(draw);
    return { shown, on, at, draw };
  };

  return Object.freeze({ view });
})();
