// The task of booking a flight. Needs airports.js, autocomplete.js, calendar.js and flights.js.
"use strict";
const booking = (() => {
  const { make } = core;

  /** Ask for the cheapest or the shortest flight between two airports on a day. */
  const ask = (task) => {
    const first = new Date(2016, 9, 1), last = new Date(2016, 11, 31), MINUTES = 24 * 60;
    const criterion = core.sample(["cheapest", "shortest"]);
    const [from, to] = core.several(airports, 2);
    const date = calendar.text(new Date(2016, 9, core.randi(1, 93)));
    const known = (airport) => (core.chance(0.5) ? airport.slice(-4, -1) : airport.slice(0, -6));
    task.say(`Book the ${criterion} one-way flight from: ${known(from)} to: ${known(to)} on ${date}.`);

    const offers = () => flights.draw(core.randi(3, 5), [50, 1200], [70, 1100])
      .map((flight) => ({ ...flight, departs: core.randi(0, MINUTES) }));
    const real = offers(), fake = offers();
    const sought = criterion === "cheapest" ? "price" : "duration";
    const best = real.reduce((one, two) => (two[sought] < one[sought] ? two : one));

    // The search
    const place = (id) => make("input", { type: "text", id });
    const origin = place("flight-from"), target = place("flight-to");
    const day = make("input", { type: "text", id: "datepicker", readonly: true });
    const search = make("button", { id: "search", class: "main" }, "Search");
    const menu = make("div", { id: "menu" }, make("h4", {}, "One-way flights"),
      make("label", { class: "field" }, "From", origin), make("label", { class: "field" }, "To", target),
      make("label", { class: "field" }, "Date", day), search);
    const results = make("div", { id: "results", hidden: true });
    task.area.append(menu, results);
    autocomplete.attach(task, origin, airports);
    autocomplete.attach(task, target, airports);
    calendar.attach(task, day, { first, last });

    const filled = () => [origin.value === from, target.value === to, day.value === date];
    task.controls(filled);
    const turn = (found) => {
      menu.hidden = found;
      results.hidden = !found;
      task.area.scrollTop = 0;
    };
    task.on(search, "click", () => {
      const bad = [origin, target].filter(({ value }) => !airports.includes(value));
      if (!day.value) bad.push(day);
      for (const field of [origin, target, day]) {
        field.classList.toggle("error", bad.includes(field));
        field.setAttribute("aria-invalid", bad.includes(field));
      }
      if (bad.length) return;
      show(filled().every(Boolean));
      turn(true);
    });

    // What it finds
    const clock = (minutes) => `${Math.floor(minutes / 60) % 12 || 12}:`
      + `${String(minutes % 60).padStart(2, "0")} ${minutes % MINUTES < MINUTES / 2 ? "AM" : "PM"}`;
    const leg = (kind, minutes, airport) => {
      const [month, start, year] = day.value.split("/").map(Number);
      const at = new Date(year, month - 1, start + Math.floor(minutes / MINUTES));
      return make("div", { class: "leg" }, make("b", { class: `${kind}-time` }, clock(minutes)), " ",
        make("span", { class: `${kind}-day day` }, at.toDateString().slice(0, 10)), " ",
        make("span", { class: `${kind}-city city` }, airport.slice(-4, -1)));
    };
    const card = (flight, right) => {
      const { price, duration, departs } = flight;
      const book = make("button", { class: "flight-price", "data-price": price }, `Book flight for $${price}`);
      task.on(book, "click", () => task.end(right && flight === best));
      return make("div", { class: "flight" }, leg("depart", departs, origin.value),
        leg("arrive", departs + duration, target.value),
        flights.lasting(duration), book);
    };
    const show = (right) => {
      const back = make("button", { id: "menu-back", "aria-label": "Back" }, "‹");
      task.on(back, "click", () => turn(false));
      results.replaceChildren(make("div", { class: "bar" }, back, make("div", { id: "results-header" },
        make("span", {}, `${origin.value} to ${target.value}`), make("span", {}, day.value))),
        ...(right ? real : fake).map((flight) => card(flight, right)));
    };
  };

  return Object.freeze({ ask });
})();
