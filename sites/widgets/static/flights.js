// Flights on offer: what each costs and how long it takes.
"use strict";
const flights = (() => {
  const { make } = core;

  /** So many different numbers from `start`, below `end`. */
  const distinct = (count, start, end) => {
    const drawn = new Set();
    while (drawn.size < count) drawn.add(core.randi(start, end));
    return [...drawn];
  };

  /** So many {price, duration}, no price and no duration twice, each within a [start, end] pair. */
  const draw = (count, prices, durations) => {
    const drawn = [distinct(count, ...prices), distinct(count, ...durations)];
    return drawn[0].map((price, n) => ({ price, duration: drawn[1][n] }));
  };

  /** How long it takes, in minutes, as the last line of a card. */
  const lasting = (minutes) => make("div", { class: "time-duration", "data-duration": minutes },
    `${Math.floor(minutes / 60)}h ${minutes % 60}m`);

  return Object.freeze({ draw, lasting });
})();
