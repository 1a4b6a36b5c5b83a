// Sliders, with the names of jQuery UI's.
"use strict";
const slider = (() => {
  const { make } = core;

  /** A slider from `least` to `most` that stands at `start`: {scale, shown, value}, the slider between
   * its ends, the element that tells its value, and a function that does. `id` is added to their
   * ids; `width` in pixels, or as wide as there is room. */
  const draw = (task, { least, most, start, upright = false, width = 0, name = "Slider", id = "" }) => {
    const length = most - least;
    let value = start;
    const handle = make("span", { class: "ui-slider-handle", tabindex: 0, role: "slider",
      "aria-label": name, "aria-valuemin": least, "aria-valuemax": most,
      "aria-orientation": upright ? "vertical" : "horizontal" });
    const bar = make("div", { id: `slider${id}`,
      class: `ui-slider ui-slider-${upright ? "vertical" : "horizontal"}`,
      ...(width && { style: `flex: none; width: ${width}px` }) }, handle);
    const shown = make("div", { id: `val${id}`, role: "status" });
    const scale = make("div", { class: `scale${upright ? " upright" : ""}` },
      make("span", {}, least), bar, make("span", {}, most));

    const set = (to) => {
      value = Math.min(most, Math.max(least, Math.round(to)));
      const share = `${((value - least) / length) * 100}%`;
      handle.style.cssText = upright ? `bottom: ${share}` : `left: ${share}`;
      handle.setAttribute("aria-valuenow", value);
      shown.textContent = value;
    };
    set(value);

    /** The value under the pointer. */
    const under = ({ clientX, clientY }) => {
      const { left, bottom, width, height } = bar.getBoundingClientRect();
      return least + length * (upright ? (bottom - clientY) / height : (clientX - left) / width);
    };
    let grip = 0;
    task.on(bar, "pointerdown", (event) => {
      grip = event.target === handle ? value - under(event) : 0;
      bar.setPointerCapture(event.pointerId);
      set(under(event) + grip);
    });
    task.on(bar, "mousedown", (event) => {
      event.preventDefault();
      handle.focus();
    });
    task.on(bar, "pointermove", (event) => {
      if (bar.hasPointerCapture(event.pointerId)) set(under(event) + grip);
    });
    const page = length / 5;
    const KEYS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: page,
      PageDown: -page, Home: -length, End: length };
    task.on(handle, "keydown", (event) => {
      if (!Object.hasOwn(KEYS, event.key)) return;
      event.preventDefault();
      set(value + KEYS[event.key]);
    });
    return { scale, shown, value: () => value };
  };

  return Object.freeze({ draw });
})();
