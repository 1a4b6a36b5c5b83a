// Things that move, and where the mouse is meanwhile.
"use strict";
const motion = (() => {
  const TICK = 20;

  /** Call `step` again and again with the milliseconds that have passed since, until it is true. */
  const run = (task, step) => task.later(TICK, () => step(TICK) || run(task, step));

  /** A function that says where the mouse is on an element, or null. The browser tells of a thing that
      moves away under a resting mouse when it likes: reckon instead. */
  const mouse = (task, over, moved = () => {}) => {
    let at = null;
    task.on(over, "mousemove", (event) => {
      at = picture.place(over, event);
      moved(at);
    });
    task.on(over, "mouseleave", () => (at = null));
    return () => at;
  };

  return Object.freeze({ TICK, run, mouse });
})();
