// What the modules add to fields that work without them: suggestions, calendars, plus and minus
// buttons, lists that depend on each other. Only pages with such a field load it.

import { airport } from "/shared/fields/airport.js";
import { dated } from "/shared/fields/calendar.js";
import { find } from "/shared/fields/dom.js";
import { days } from "./days.js";
import { lists } from "./lists.js";
import { picked } from "./picked.js";
import { stepper } from "./stepper.js";

const front = JSON.parse(find("front").textContent);

const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const captionOf = (field) => field.querySelector("label, .caption").textContent;
const inputOf = (field) => field.querySelector("input");

/** Put what a widget makes of an element where the element stands. */
function replace(element, make) {
  const place = document.createComment("");
  element.replaceWith(place);
  place.replaceWith(...[make(element)].flat());
}

const WIDGETS = {
  "airport-typed": (field) => replace(inputOf(field), (input) =>
    airport(input, front.airports, find(`${input.id}-hint`))),
  "airport-picked": (field) => picked(field, front),
  "airport-lists": (field) => lists(field, front.airports),
  "date-typed": (field) => replace(inputOf(field), (input) =>
    dated(input, captionOf(field), { ...front, knobs: { hidden_labels: false } })),
  "count-stepper": (field) => stepper(field, front.words),
};

for (const field of all("[data-widget]")) WIDGETS[field.dataset.widget]?.(field);

for (const group of all(".fields")) {
  const fields = all("[data-widget='date-calendar']", group);
  const pair = ["departure", "return"].map((key) => fields.find((each) => each.dataset.key === key));
  const both = pair.every(Boolean) ? pair : [];
  if (both.length) days(both, front);
  for (const field of fields) if (!both.includes(field)) days([field], front);
}

// A journey one way has no day of return.
for (const group of all(".fields")) {
  const trip = group.querySelector("[data-key='trip-type'] select");
  const back = group.querySelector("[data-key='return']");
  if (!trip || !back) continue;
  const switched = () => all("input, select, button", back).forEach((each) => {
    each.disabled = trip.value === "one-way";
  });
  trip.addEventListener("change", switched);
  addEventListener("pageshow", switched);
  switched();
}
