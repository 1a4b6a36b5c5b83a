// Pages whose labels are ambiguous: captions are pictures, and a press of a button is reviewed
// before it counts.

import { make } from "/shared/fields/dom.js";
import { brief, journey } from "./facts.js";
import { addressed } from "./net.js";

/** The picture of a caption: nothing of it is text. */
export const picture = (address) => make("img", {
  class: "picture", src: addressed(address), alt: "",
});

/** Where the form repeats its accepted values. */
export const summary = () => make("p", { id: "summary", class: "summary", role: "status" });

/** What pressing a button of a screen is safe for. */
export const promise = ({ buttons }) => buttons.some(({ picture: shown }) => shown)
  && make("p", { class: "promise" }, "OK shows what it would do before it does it.");

/** A button with its picture, and what it does once it was tried. */
export const captioned = ({ picture: address, known }, button) => make("div", { class: "captioned" },
  picture(address), button, known && make("span", { class: "hint" }, `Tried: ${known}`));

/** What a press would do; `press` does it. */
export function review(screen, buttons) {
  const { review: { deed, line }, buttons: [{ commits }] } = screen;
  const final = commits ? ", and that cannot be taken back" : "";
  const card = make("section", { class: "card review" },
    make("h2", {}, "Check before it counts"), make("p", { class: "deed" }, `${deed}: ${line}`),
    make("p", { class: "lead" },
      `Nothing was done yet. OK does it${final}; Back leads to the page before.`),
    buttons);
  const aside = beside(screen);
  return aside ? make("div", { class: "split" }, make("div", {}, card), aside)
    : make("div", { class: "narrow" }, card);
}

const beside = ({ journey: trip, booking }) => (
  trip ? journey(trip) : booking && brief(booking));
