// A number between two buttons.

import { make, mark, say } from "/shared/fields/dom.js";

/** Replace the number field of `field`; its value goes along as before, unseen. */
export function stepper(field, words) {
  const input = field.querySelector("input"), label = field.querySelector("label");
  const text = label.textContent, least = +input.min, most = +input.max;
  const spoken = make("output", {
    id: `${input.id}-shown`, class: "spoken", "aria-live": "polite",
  });
  const seen = make("b", { "aria-hidden": "true" });
  const count = () => Math.min(most, Math.max(least, parseInt(input.value, 10) || 0));
  const button = (name, word, sign, by) => make("button", {
    id: `${input.id}-${name}`, type: "button", "aria-label": word.replace("{label}", text),
    onclick: () => set(count() + by),
  }, sign);
  const fewer = button("fewer", words.fewer, "−", -1), more = button("more", words.more, "+", 1);
  const set = (number) => {
    if (number < least || number > most) return;
    input.value = number;
    say(seen, `${number}`);
    say(spoken, `${text}: ${number}`);
    mark(fewer, "aria-disabled", number === least && "true");
    mark(more, "aria-disabled", number === most && "true");
  };
  input.type = "hidden";
  label.replaceWith(make("span", { class: "caption", "aria-hidden": "true" }, text));
  input.after(make("div", { class: "stepper", role: "group", "aria-label": text },
    fewer, seen, spoken, more));
  set(count());
}
