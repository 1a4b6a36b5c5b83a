// Fields that wait for the focus.
"use strict";
const focusing = (() => {
  /** The task ends when one of the fields gets the focus, well with `wanted`. A script can give
   * the focus too, by an event like a user's: then only the public reward is given. */
  const watch = (task, fields, wanted) => {
    let last = null;
    const press = (event) => {
      last = event;
    };
    task.on(document, "mousedown", press);
    task.on(document, "keydown", press);
    const byUser = (field) => last !== null && (last.target === field || last.key === "Tab");
    for (const field of fields) {
      task.on(field, "focus", () => {
        if (!byUser(field)) task.taint("the focus was given by a script");
        task.end(field === wanted);
      });
    }
  };

  return Object.freeze({ watch });
})();
