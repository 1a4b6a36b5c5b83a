// A field for a colour, as six hexadecimal digits, with a picker that opens when the field is clicked.
"use strict";
const colors = (() => {
  const { make } = core;
  const WIDTH = 101, HEIGHT = 71, FIRST = "AB2567", CAREFUL = 0.98;

  const hex = (parts) =>
    parts.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("").toUpperCase();
  /** [red, green, blue] of three or six hexadecimal digits, or null. */
  const read = (text) => {
    const [, digits] = /^#?([\da-f]{6}|[\da-f]{3})$/i.exec(text.trim()) ?? [];
    const pairs = digits?.match(digits.length === 6 ? /../g : /./g);
    return pairs ? pairs.map((pair) => parseInt(pair.padStart(2, pair), 16)) : null;
  };
  /** [red, green, blue] of a hue from 0 to 6, a saturation and a value from 0 to 1. */
  const mixed = ([hue, saturation, value]) => [5, 3, 1].map((n) => {
    const at = (n + hue) % 6;
    return 255 * value * (1 - saturation * Math.max(0, Math.min(at, 4 - at, 1)));
  });
  /** The other way round. */
  const parted = (parts) => {
    const [red, green, blue] = parts.map((part) => part / 255);
    const value = Math.max(red, green, blue), range = value - Math.min(red, green, blue);
    if (!range) return [0, 0, value];
    const hue = value === red ? (green - blue) / range + 6
      : value === green ? (blue - red) / range + 2 : (red - green) / range + 4;
    return [hue % 6, range / value, value];
  };
  /** 1 where they are alike, 0 where they are black and white. */
  const likeness = (one, other) =>
    1 - one.reduce((sum, part, n) => sum + Math.abs(part - other[n]), 0) / 255 / 3;

  /** The picker of a field. */
  const attach = (task, field) => {
    const cross = make("span", { class: "cross" }), arrow = make("span", { class: "arrow" });
    const pad = make("div", { id: "pad", role: "application" }, cross);
    const scale = make("div", { id: "scale", role: "application" }, arrow);
    const picker = make("div", { id: "picker", hidden: true }, pad, scale);
    let [chosen, parts] = [read(FIRST), parted(read(FIRST))];

    const show = () => {
      const [hue, saturation, value] = parts;
      const x = Math.round(hue / 6 * (WIDTH - 1)), y = Math.round((1 - saturation) * (HEIGHT - 1));
      const down = Math.round((1 - value) * (HEIGHT - 1));
      cross.style.cssText = `left: ${x}px; top: ${y}px`;
      arrow.style.cssText = `top: ${down}px`;
      pad.setAttribute("aria-label", `hue and saturation, ${WIDTH} x ${HEIGHT}: from left to right red, `
        + `yellow, green, aqua, blue, magenta, red, from top to bottom full colour to none; now (${x}, ${y})`);
      scale.style.backgroundImage = `linear-gradient(#${hex(mixed([hue, saturation, 1]))}, #000)`;
      scale.setAttribute("aria-label", `brightness, 16 x ${HEIGHT}: from top to bottom full to black; `
        + `now at ${down}`);
      field.style.backgroundColor = `#${hex(chosen)}`;
      field.style.color = likeness(chosen, [255, 255, 255]) > 0.5 ? "#000" : "#fff";
    };
    show();

    task.on(field, "focus", () => picker.removeAttribute("hidden"));
    task.on(field, "input", () => {
      if (!read(field.value)) return;
      chosen = read(field.value);
      parts = parted(chosen);
      show();
    });
    task.on(field, "change", () => (field.value = hex(chosen)));

    /** Take a colour from where the mouse presses on an element, and drags. */
    const take = (element, taken) => {
      const set = (event) => {
        const { left, top } = element.getBoundingClientRect();
        const share = (place, size) => Math.min(1, Math.max(0, place / (size - 1)));
        taken(share(event.clientX - left, WIDTH), share(event.clientY - top, HEIGHT));
        chosen = mixed(parts);
        task.put(field, hex(chosen));
        show();
      };
      task.on(element, "mousedown", (event) => event.preventDefault());
      task.on(element, "pointerdown", (event) => {
        element.setPointerCapture(event.pointerId);
        set(event);
      });
      task.on(element, "pointermove", (event) => {
        if (element.hasPointerCapture(event.pointerId)) set(event);
      });
    };
    take(pad, (across, down) => (parts = [across * 6, 1 - down, parts[2] || 1]));
    take(scale, (_, down) => (parts = [parts[0], parts[1], 1 - down]));
    return picker;
  };

  /** Ask for a colour [red, green, blue]; within 2 percent it counts as hit. */
  const ask = (task, wanted) => {
    const field = make("input", { type: "text", id: "col", class: "jscolor", value: FIRST, autocomplete: "off",
      spellcheck: "false" });
    const button = make("button", { id: "subbtn", class: "main" }, "Submit");
    task.area.append(make("label", { for: "col" }, "Color"), make("div", { class: "row" }, field, button),
      attach(task, field));

    const worth = () => {
      const chosen = read(field.value), alike = chosen ? likeness(chosen, wanted) : -1;
      return alike >= CAREFUL ? 1 : alike;
    };
    task.controls(() => [worth() === 1]);
    task.on(button, "click", () => task.end(worth()));
  };

  return Object.freeze({ ask, read, hex });
})();
