// The buttons ONE and TWO somewhere on the page.
"use strict";
const pair = (() => {
  const { make, randi } = core;

  /** Show both: [one, two]. Their upper left corners are drawn from the ranges `across` and `down`, so
   * far from each other, to the side or below, as `apart` says; `look` are more attributes. */
  const show = (task, { across = [0, 118], down = [0, 118], apart = [42, 42], look = { class: "square" } } = {}) => {
    const place = () => [randi(...across), randi(...down)];
    const one = place();
    let two = place();
    while (Math.abs(one[0] - two[0]) < apart[0] && Math.abs(one[1] - two[1]) < apart[1]) two = place();
    const buttons = [one, two].map(([left, top], n) => make("button", { id: n ? "subbtn2" : "subbtn",
      ...look, style: `left: ${left}px; top: ${top}px` }, n ? "TWO" : "ONE"));
    task.area.append(...buttons);
    return buttons;
  };

  return Object.freeze({ show });
})();
