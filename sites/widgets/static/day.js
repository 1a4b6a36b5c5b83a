// The task of choosing a day in a date picker. Needs calendar.js.
"use strict";
const day = (() => {
  const { make } = core;

  /** Ask for a day of 2016 from the month `month` (0 is January) on. */
  const ask = (task, month) => {
    const first = new Date(2016, month, 1), last = new Date(2016, 11, 31);
    const days = Math.round((last - first) / 86_400_000) + 1;
    const wanted = calendar.text(new Date(2016, month, core.randi(1, days + 1)));
    task.say(`Select ${wanted} as the date and hit submit.`);

    const field = make("input", { type: "text", id: "datepicker", readonly: true });
    const button = make("button", { id: "subbtn", class: "main" }, "Submit");
    task.area.append(make("label", { class: "field" }, "Date", field), button);
    calendar.attach(task, field, { first, last });

    task.controls(() => [field.value === wanted]);
    task.on(button, "click", () => task.end(field.value === wanted));
  };

  return Object.freeze({ ask });
})();
