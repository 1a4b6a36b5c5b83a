// Runs in the page's own world before its scripts: time stands still but where the lane lets some
// pass, by an event from the walker's world; without a number it begins again, and every timer is
// gone. A page that sends the event itself only fools itself.
(start) => {
  "use strict";
  const Real = Date, apply = Reflect.apply;
  const ofEvent = Object.getOwnPropertyDescriptor(CustomEvent.prototype, "detail").get;
  let passed = 0, number = 0;
  const timers = new Map();

  const now = () => Math.floor(start + passed);
  const Virtual = new Proxy(Real, {
    construct: (real, args, target) => Reflect.construct(real, args.length ? args : [now()], target),
    apply: () => new Real(now()).toString(),
  });
  Real.now = now;
  window.Date = Real.prototype.constructor = Virtual;
  Performance.prototype.now = function () {
    return passed;
  };

  const add = (handler, delay, args, again) => {
    const wait = Math.max(Number(delay) || 0, again ? 1 : 0);
    timers.set(++number, { due: passed + wait, wait, handler, args, again });
    return number;
  };
  const drop = (id) => {
    timers.delete(Number(id));
  };
  window.setTimeout = (handler, delay, ...args) => add(handler, delay, args, false);
  window.setInterval = (handler, delay, ...args) => add(handler, delay, args, true);
  window.requestAnimationFrame = (handler) => add(() => handler(passed), 16, [], false);
  window.clearTimeout = window.clearInterval = window.cancelAnimationFrame = drop;

  /** The timer that is due first until then; of several the oldest. */
  const next = (until) => {
    let first = null;
    for (const [id, timer] of timers) {
      if (timer.due <= until && (!first || timer.due < first[1].due)) first = [id, timer];
    }
    return first;
  };

  const run = (handler, args) => {
    try {
      apply(handler, window, args);
    } catch (problem) {
      reportError(problem);
    }
  };

  const pass = (ms) => {
    const until = passed + ms;
    for (let found = next(until); found; found = next(until)) {
      const [id, timer] = found;
      passed = Math.max(passed, timer.due);
      if (timer.again) timer.due = passed + timer.wait;
      else timers.delete(id);
      run(timer.handler, timer.args);
    }
    passed = until;
  };

  const begin = () => {
    passed = 0;
    timers.clear();
  };

  addEventListener("rehearsal:time", (event) => {
    event.stopImmediatePropagation();
    const ms = apply(ofEvent, event, []);
    if (ms === null) begin();
    else pass(Math.max(0, Number(ms) || 0));
  }, true);
}
