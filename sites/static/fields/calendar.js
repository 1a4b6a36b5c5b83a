// A date field: typed, or chosen from a calendar that a button beside it opens.

import { make } from "./dom.js";

const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August",
  "September", "October", "November", "December"];
const WEEKDAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];
const OLDEST = "1910-01-01";
const USUAL_BIRTH = "1985-01-01";
const DAY = 86_400_000;

const utc = (iso) => new Date(`${iso}T00:00:00Z`);
const iso = (date) => date.toISOString().slice(0, 10);
const moved = (day, by) => iso(new Date(utc(day).getTime() + by * DAY));
/** `15 January 2026` of an ISO date. */
export const spoken = (day) => `${+day.slice(8)} ${MONTHS[day.slice(5, 7) - 1]} ${day.slice(0, 4)}`;
const lastOf = (year, month) => new Date(Date.UTC(year, month, 0)).getUTCDate();
const dayOf = (year, month, day) => iso(new Date(Date.UTC(year, month - 1, day)));

/** A text as a day of the calendar, or "". */
function known(text) {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text.trim());
  if (!parts || +parts[2] < 1 || +parts[2] > 12) return "";
  const [, year, month, day] = parts.map(Number);
  return day >= 1 && day <= lastOf(year, month) ? text.trim() : "";
}

/** The same day some months later, or the last of that month. */
function months(day, by) {
  const [year, month, date] = day.split("-").map(Number);
  const at = year * 12 + month - 1 + by, [y, m] = [Math.floor(at / 12), at % 12 + 1];
  return dayOf(y, m, Math.min(date, lastOf(y, m)));
}

/** The days that can be chosen, and the one to begin with. */
function span(id, desk) {
  return id === "dob"
    ? { first: OLDEST, last: desk.today, usual: USUAL_BIRTH }
    : { first: desk.first_day, last: desk.last_day, usual: desk.first_day };
}

export function dated(input, label, desk) {
  const name = desk.knobs.hidden_labels ? "Calendar" : `Calendar: ${label}`;
  const opener = make("button", {
    id: `${input.id}-calendar`, class: "opener", type: "button", "aria-label": name,
    "aria-haspopup": "dialog", "aria-expanded": "false",
  });
  const field = make("div", { class: "dated" }, input, opener);
  let calendar = null;

  const close = (back) => {
    calendar?.remove();
    calendar = null;
    opener.setAttribute("aria-expanded", "false");
    if (back) back.focus();
  };
  const take = (day) => {
    input.value = day;
    for (const kind of ["input", "change"]) input.dispatchEvent(new Event(kind, { bubbles: true }));
    close(opener);
  };
  opener.addEventListener("click", () => {
    if (calendar) return close(opener);
    calendar = new Calendar(input, name, span(input.id, desk), desk.today, take).element;
    opener.setAttribute("aria-expanded", "true");
    field.append(calendar);
    calendar.querySelector("td [tabindex='0']").focus();
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && calendar) close(opener);
  });
  field.addEventListener("focusout", (event) => {
    if (calendar && event.relatedTarget && !field.contains(event.relatedTarget)) close(null);
  });
  input.addEventListener("focus", () => close(null));
  return field;
}

/** One month of days with the ways to another month; the arrow keys walk over the days. */
class Calendar {
  constructor(input, name, days, today, take) {
    Object.assign(this, { id: input.id, days, today, take, chosen: known(input.value) });
    this.day = this.within(this.chosen || days.usual);
    this.month = this.choice("month", MONTHS.map((text, at) => [at + 1, text]));
    this.year = this.choice("year", this.years());
    this.table = make("table", { onkeydown: (event) => this.walk(event) });
    this.element = make("div", { class: "calendar", role: "dialog", "aria-label": name },
      make("div", {}, this.turner("previous", "Previous month", -1), this.month, this.year,
        this.turner("next", "Next month", 1)), this.table);
    this.draw();
  }

  within(day) {
    const { first, last } = this.days;
    return day < first ? first : day > last ? last : day;
  }

  years() {
    const [first, last] = [this.days.first, this.days.last].map((day) => +day.slice(0, 4));
    return Array.from({ length: last - first + 1 }, (_, at) => [last - at, `${last - at}`]);
  }

  choice(what, options) {
    return make("select", {
      id: `${this.id}-${what}`, "aria-label": what === "month" ? "Month" : "Year",
      onchange: () => this.turn((this.year.value - this.day.slice(0, 4)) * 12
        + (this.month.value - this.day.slice(5, 7))),
    }, options.map(([value, text]) => make("option", { value }, text)));
  }

  turner(what, label, by) {
    return make("button", {
      id: `${this.id}-${what}`, class: `turn ${what}`, type: "button", "aria-label": label,
      onclick: () => this.turn(by),
    });
  }

  turn(by) {
    this.day = this.within(months(this.day, by));
    this.draw();
  }

  draw() {
    const [year, month] = this.day.split("-").map(Number);
    this.month.value = month;
    this.year.value = year;
    const blank = (utc(dayOf(year, month, 1)).getUTCDay() + 6) % 7;
    const cells = Array.from({ length: blank }, () => make("td"));
    for (let day = 1; day <= lastOf(year, month); day++) {
      cells.push(make("td", {}, this.button(dayOf(year, month, day))));
    }
    const weeks = [];
    while (cells.length) weeks.push(make("tr", {}, cells.splice(0, 7)));
    this.table.replaceChildren(
      make("thead", { "aria-hidden": "true" },
        make("tr", {}, WEEKDAYS.map((text) => make("th", {}, text)))),
      make("tbody", {}, weeks));
  }

  button(day) {
    return make("button", {
      id: `${this.id}-${day}`, type: "button", "aria-label": spoken(day),
      tabindex: day === this.day ? "0" : "-1", disabled: this.within(day) !== day,
      "aria-pressed": day === this.chosen ? "true" : null,
      "aria-current": day === this.today ? "date" : null,
      onclick: () => this.take(day),
    }, `${+day.slice(8)}`);
  }

  walk(event) {
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
    const turns = { PageUp: -1, PageDown: 1 };
    if (event.key in steps) this.day = this.within(moved(this.day, steps[event.key]));
    else if (event.key in turns) this.day = this.within(months(this.day, turns[event.key]));
    else return;
    event.preventDefault();
    this.draw();
    this.table.querySelector("[tabindex='0']").focus();
  }
}
