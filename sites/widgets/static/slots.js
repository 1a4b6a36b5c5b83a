// Texts, fields and buttons in a row, one button of which is to be clicked.
"use strict";
const slots = (() => {
  const { make } = core;
  const KINDS = ["text", "input", "button"];

  /** Show six of them; `worded` draws what each says. */
  const show = (task, worded) => {
    const kinds = core.shuffle(["button", ...Array.from({ length: 5 }, () => core.sample(KINDS))]);
    const made = kinds.map((kind) => {
      const word = worded();
      if (kind === "text") return make("div", { class: "slot" }, word);
      if (kind === "button") return make("button", { class: "slot" }, word);
      return make("input", { type: "text", class: "slot", value: word, "aria-label": "Text" });
    });
    task.area.append(make("div", { class: "slots" }, ...made));

    const buttons = made.filter((slot) => slot.tagName === "BUTTON");
    const wanted = core.sample(buttons).textContent;
    task.say(`Click on the "${wanted}" button.`);
    for (const button of buttons) {
      task.on(button, "click", () => task.end(button.textContent === wanted));
    }
  };

  return Object.freeze({ show });
})();
