// Forms of fields and one button that hands them in.
"use strict";
const entry = (() => {
  const { make } = core;

  /** The button that ends the task: well if every control is `right` (a list, asked anew). */
  const button = (task, text, right) => {
    const made = make("button", { id: "subbtn", class: "main" }, text);
    task.controls(right);
    task.on(made, "click", () => task.end(right().every(Boolean)));
    return made;
  };

  /** A field somewhere on the page that must hold exactly `wanted`, and its button. */
  const place = (task, attributes, wanted) => {
    const [left, top, gap] = [core.randi(0, 30), core.randi(0, 50), core.randi(4, 26)];
    const field = make("input", { id: "tt", style: "width: 114px", ...attributes });
    const style = `margin: ${top}px 0 0 ${left}px; gap: ${gap}px`;
    task.area.append(make("div", { id: "form", class: "stack", style }, field,
      button(task, "Submit", () => [field.value === wanted])));
  };

  return Object.freeze({ button, place });
})();
