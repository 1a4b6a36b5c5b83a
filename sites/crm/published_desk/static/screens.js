// How each screen is laid out, from the site's description of it.

import { captioned, promise, review, summary } from "./ambiguous.js";
import { make } from "/shared/fields/dom.js";
import { booked, brief, itinerary, journey, namesakes, person } from "./facts.js";
import { flights } from "./flights.js";
import { fields, form } from "./form.js";
import { addressed } from "./net.js";

const STEPS = {
  flights: "Search", results: "Flights", passenger: "Passenger", payment: "Payment",
  receipt: "Receipt",
};
const LOOKS = { "confirm-cancel": "btn danger", "cancel-booking": "btn" };

/** Everything between the bar and the end of the page; `send(control)` is what commits call. */
export function view(screen, desk, send) {
  const layout = screen.review ? reviewed : LAYOUTS[screen.screen];
  return [head(screen), notice(screen), tabs(screen), ...layout(screen, desk, send)];
}

/** What the screen is called, on it and in the browser's title. */
export const heading = ({ screen, title, subject }) => (
  screen === "booking" ? `${title} ${subject}` : title);

// What screens have in common ---------------------------------------------------------------------

const head = (screen) => make("div", { class: "head" },
  make("div", {}, back(screen), make("h1", { tabindex: "-1" }, heading(screen)), now(screen),
    screen.searched && make("p", { class: "lead" }, `Searched: ${screen.searched}`)),
  screen.screen in STEPS && steps(screen.screen));

const back = ({ back: address }) => address && make("a", {
  id: "back", class: "back", href: addressed(address),
}, "Back");

/** The flights that others are chosen for. */
function now({ screen, booking }) {
  if (screen !== "modify-results") return null;
  const legs = [booking.outward, booking.return].filter((leg) => leg)
    .map(({ number, day, departs_text: time }) => `${number} at ${time} on ${day}`);
  return make("p", { class: "lead" }, `Booked now: ${legs.join("; ")}; ${booking.price_text}`);
}

function steps(current) {
  const names = Object.keys(STEPS), at = names.indexOf(current), all = current === "receipt";
  return make("ol", { class: "steps", "aria-label": "Steps" }, names.map((name, n) => make("li", {
    class: all || n < at ? "past" : null, "aria-current": n === at ? "step" : null,
  }, STEPS[name])));
}

const notice = ({ notice: text }) => (
  text ? make("p", { class: "notice good", role: "status" }, text) : null);

function tabs({ tabs: all }) {
  if (!all.length) return null;
  const tab = ({ id, label, address, current }) => make("a", {
    id, href: addressed(address), role: "tab", "aria-selected": String(Boolean(current)),
  }, label);
  return make("div", { class: "tabs", role: "tablist", "aria-label": "Modify" }, all.map(tab));
}

/** The screen's buttons: `press` is null where they submit a form. */
function buttons(screen, press, where = "") {
  const button = (each, at) => {
    const { id, label, action, address, commits } = each;
    if (action === "open") return make("a", { id, class: "btn", href: addressed(address) }, label);
    const control = make("button", {
      id, class: LOOKS[id] || (at === 0 ? "btn primary" : "btn"), "data-commits": commits,
      ...(press ? { type: "button", onclick: () => press(id) } : { type: "submit" }),
    }, label);
    return each.picture ? captioned(each, control) : control;
  };
  return screen.buttons.length
    ? make("div", { class: `actions ${where}` }, promise(screen), screen.buttons.map(button)) : null;
}

const filled = (screen, desk, send, title) => form(screen, send,
  make("fieldset", {}, make("legend", {}, make("h2", {}, title)), fields(screen, desk)),
  screen.ambiguous && summary(), buttons(screen, null));

/** What a press of a button would do, where labels are ambiguous. */
const reviewed = (screen, desk, send) => [review(screen, buttons(screen, send))];

const card = (...content) => make("section", { class: "card" }, content);
const split = (left, right) => make("div", { class: "split" }, make("div", {}, left), right);

// The screens -------------------------------------------------------------------------------------

const search = (screen, desk, send) => card(filled(screen, desk, send, "Where and when"));

const picture = () => make("img", {
  class: "route", src: "/static/route.svg", alt: "", width: "1200", height: "230",
});

function results(screen, desk, send) {
  const { legs, total } = flights(screen, desk), row = buttons(screen, null, "far");
  row.prepend(total);
  return [form(screen, send, legs, screen.ambiguous && summary(), row)];
}

const beside = (title, aside) => (screen, desk, send) => [
  split(card(filled(screen, desk, send, title)), aside(screen))];

const overview = (screen, desk, send) => [namesakes(screen.namesakes), split(
  [booked(screen.booking, buttons(screen, send)), person(screen.booking)],
  itinerary(screen.booking))];

const LAYOUTS = {
  flights: (...all) => [search(...all), picture()],
  results,
  passenger: beside("Who is flying", (screen) => journey(screen.journey)),
  payment: beside("Card", (screen) => journey(screen.journey)),
  receipt: overview,
  find: (...all) => [make("div", { class: "narrow" }, card(filled(...all, "Which booking")))],
  booking: overview,
  cancel: beside("This cannot be taken back", (screen) => brief(screen.booking)),
  modify: beside("Passenger", (screen) => brief(screen.booking)),
  "modify-search": beside("Where and when", (screen) => brief(screen.booking)),
  "modify-results": results,
};
