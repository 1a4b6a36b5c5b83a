// What is known of a booking, a passenger, a journey.

import { spoken } from "/shared/fields/calendar.js";
import { make } from "/shared/fields/dom.js";
import { addressed } from "./net.js";

const list = (facts) => make("dl", { class: "facts" }, facts.filter(([, fact]) => fact)
  .map(([term, fact]) => [make("dt", {}, term), make("dd", {}, fact)]));

const part = (name, ...content) => make("div", { class: "trip" }, make("h3", {}, name), content);

const trip = (name, leg) => leg && part(name,
  make("p", { class: "times" }, `${leg.departs_text} – ${leg.arrives_text}`),
  make("p", {}, `${leg.from_text} to ${leg.to_text}`),
  make("p", {}, `${leg.day}, ${leg.number}`));

const total = (text) => make("p", { class: "total" },
  make("span", {}, "Total"), " ", make("span", {}, text));

/** The flights, the passenger as far as known, and the price, beside what is done about them. */
const aside = (name, { outward, back, passenger, price }) => make("aside", {
  class: "card", "aria-label": name,
}, make("h2", {}, name), trip("Outward", outward), trip("Return", back),
passenger && part("Passenger", make("p", {}, passenger.name)), total(price));

export const journey = ({ outward, return_flight: back, passenger, price_text: price }) => (
  outward && aside("Journey", { outward, back, passenger, price }));

export const brief = ({ reference, outward, return: back, passenger, price_text: price }) => (
  aside(`Booking ${reference}`, { outward, back, passenger, price }));

export const itinerary = ({ outward, return: back }) => make("section", { class: "card" },
  make("h2", {}, "Flights"), trip("Outward", outward), trip("Return", back));

export const person = ({ passenger }) => make("section", { class: "card" },
  make("h2", {}, "Passenger"), list([
    ["Name", passenger.name],
    ["Gender", passenger.gender],
    ["Date of birth", passenger.dob_text],
  ]));

/** Reference, state and price of a booking. */
export function booked(booking, ...more) {
  const badge = booking.status === "cancelled" ? "badge bad" : "badge";
  return make("section", { class: "card" }, make("h2", {}, "Booking"), list([
    ["Reference", make("span", { class: "reference" }, booking.reference)],
    ["Status", make("span", { class: badge }, booking.status_text)],
    ["Price", booking.price_text],
    ["Card", booking.card && `ending in ${booking.card}`],
  ]), more);
}

/** Bookings of other passengers who have the same name. */
export function namesakes(others) {
  if (!others.length) return null;
  const way = ({ reference, address }) => make("a", {
    id: `booking-${reference}`, href: addressed(address),
  }, reference);
  return make("div", { class: "notice" },
    make("p", {}, "There are other bookings in this name. Check the date of birth."),
    make("ul", {}, others.map((each) => make("li", {}, way(each), `, born ${spoken(each.born)}`))));
}
