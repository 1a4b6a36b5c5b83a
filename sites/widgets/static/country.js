// The task of entering a country with suggestions. Needs words.js, autocomplete.js and entry.js.
"use strict";
const country = (() => {
  const { make } = core;

  /** Ask for one that begins, and mostly ends, with given letters. */
  const ask = (task) => {
    const wanted = core.sample(words.COUNTRIES);
    const start = wanted.slice(0, core.randi(2, 4));
    const end = core.chance(0.75) ? wanted.slice(-core.randi(2, 4)) : "";
    task.say(`Enter an item that starts with "${start}"${end && ` and ends with "${end}"`}.`);

    const field = make("input", { type: "text", id: "tags" });
    const button = entry.button(task, "Submit",
      () => [field.value.startsWith(start) && field.value.endsWith(end)]);
    task.area.append(make("label", { class: "field" }, "Country", field), button);
    autocomplete.attach(task, field, words.COUNTRIES);
  };

  return Object.freeze({ ask });
})();
