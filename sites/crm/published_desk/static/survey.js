// The question that pops up over the page until it is answered or sent away.

import { make } from "/shared/fields/dom.js";

const ANSWERS = ["Good", "Fair", "Poor"];

export function survey(answered) {
  const close = (control) => {
    dialog.close();
    dialog.remove();
    answered(control);
  };
  const button = (id, kind, text) => make("button", {
    id, class: kind, type: "button", onclick: () => close(id),
  }, text);
  const dialog = make("dialog", {
    id: "survey", class: "survey", "aria-labelledby": "survey-title", "aria-describedby": "survey-about",
    oncancel: (event) => {
      event.preventDefault();
      close("survey-close");
    },
  }, make("h2", { id: "survey-title" }, "How do you like the new desk?"),
  make("p", { id: "survey-about" },
    "This covers the page until you send an answer, or close it with Not now."),
  make("div", { class: "field" }, make("label", { for: "survey-answer" }, "Your answer"),
    make("select", { id: "survey-answer" }, ANSWERS.map((text) => make("option", {}, text)))),
  make("div", { class: "actions" },
    button("survey-send", "btn primary", "Send"), button("survey-close", "btn", "Not now")));
  document.querySelector("main").prepend(dialog);
  dialog.showModal();
}
