// Runs in the page's own world before its scripts: takes the binding by which pages report to their
// lane off the window, and gives it to the first script that asks for it, once.
(name) => {
  "use strict";
  const report = window[name];
  if (!delete window[name] || !report) return;
  const ofEvent = Object.getOwnPropertyDescriptor(CustomEvent.prototype, "detail").get;
  addEventListener("rehearsal:reports", (event) => {
    event.stopImmediatePropagation();
    Reflect.apply(ofEvent, event, [])(report);
  }, { capture: true, once: true });
}
