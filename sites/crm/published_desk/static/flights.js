// The lists of flights to choose from.

import { picture } from "./ambiguous.js";
import { make, say } from "/shared/fields/dom.js";

const duration = (minutes) => `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
const money = (dollars, desk) => `${desk.currency}${dollars.toLocaleString("en-US")}`;

function seats({ seats, sold_out: none }) {
  if (none) return "Sold out";
  return seats === 1 ? "1 seat left" : `${seats} seats left`;
}

/** What is seen of a flight; its label says the same in one sentence. */
const row = (flight, desk) => make("span", {
  class: "row", "aria-hidden": desk.knobs.hidden_labels ? null : "true",
}, make("b", {}, `${flight.departs_text} – ${flight.arrives_text}`), " ",
  make("b", {}, money(flight.price, desk)), " ",
  make("span", {}, `${flight.number}, ${duration(flight.minutes)}`), " ",
  make("span", {}, seats(flight)));

function choice(flight, desk) {
  const radio = make("input", {
    id: flight.id, type: "radio", name: flight.group, value: flight.number,
    checked: flight.checked, disabled: flight.sold_out,
  });
  const seen = row(flight, desk), label = make("span", { class: "spoken" }, flight.label);
  return desk.knobs.hidden_labels ? make("div", { class: "flight bare" }, radio, seen)
    : make("label", { class: "flight" }, radio, label, seen);
}

const leg = (name, { title, day, picture: address, rows }, desk) => make("fieldset", { class: "card" },
  make("legend", {}, make("h2", {}, title)),
  make("p", { class: "lead" }, address ? picture(address) : day),
  make("p", { id: `${name}-problem`, class: "problem", "aria-live": "polite" }),
  rows.length ? rows.map((flight) => choice(flight, desk))
    : make("p", {}, "There are no flights on this day. Search again with another date."));

/** Both lists side by side, and what the chosen flights cost together. */
export function flights(screen, desk) {
  const lists = Object.entries(screen.flights).filter(([, list]) => list);
  const total = make("output", { id: "total" });
  const add = () => {
    const chosen = lists.flatMap(([, list]) => list.rows)
      .filter(({ id }) => legs.querySelector(`#${id}`).checked);
    const price = chosen.reduce((sum, flight) => sum + flight.price, 0);
    say(total, chosen.length ? `Total ${money(price, desk)}` : "");
  };
  const legs = make("div", { class: `legs${lists.length > 1 ? "" : " single"}`, onchange: add },
    lists.map(([name, list]) => leg(name, list, desk)));
  add();
  return { legs, total };
}
