// One calendar for one day or for two, on fields that cannot be typed into. Weeks begin on Sunday.

import { make, say } from "/shared/fields/dom.js";

const MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August",
  "September", "October", "November", "December"];
const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const DAY = 86_400_000;

const two = (number) => `${number}`.padStart(2, "0");
const utc = (iso) => new Date(`${iso}T00:00:00Z`);
const moved = (day, by) => new Date(utc(day).getTime() + by * DAY).toISOString().slice(0, 10);
const lastOf = (month) => new Date(Date.UTC(+month.slice(0, 4), +month.slice(5, 7), 0)).getUTCDate();
const spoken = (day) => `${WEEKDAYS[utc(day).getUTCDay()]}, ${MONTHS[+day.slice(5, 7) - 1]}`
  + ` ${+day.slice(8)}, ${day.slice(0, 4)}`;
const titled = (month) => `${MONTHS[+month.slice(5, 7) - 1]} ${month.slice(0, 4)}`;

/** All months from one day's to another's, as `2026-03`. */
function months(first, last) {
  const found = [];
  for (let at = first.slice(0, 7); at <= last.slice(0, 7);) {
    found.push(at);
    const [year, month] = at.split("-").map(Number);
    at = month === 12 ? `${year + 1}-01` : `${year}-${two(month + 1)}`;
  }
  return found;
}

/** A day as the airline writes it, and back: in parts between slashes, or as `4 Mar 2026`. */
const FORMS = {
  "mm/dd/yyyy": [2, 0, 1],
  "dd/mm/yyyy": [2, 1, 0],
};
const short = (month) => month.slice(0, 3);
function written(day, form) {
  if (!FORMS[form]) return `${+day.slice(8)} ${short(MONTHS[+day.slice(5, 7) - 1])} ${day.slice(0, 4)}`;
  const parts = [];
  day.split("-").forEach((part, at) => {
    parts[FORMS[form][at]] = part;
  });
  return parts.join("/");
}
function known(text, form) {
  const parts = text.trim().split(FORMS[form] ? "/" : " ");
  if (!FORMS[form]) parts[1] = two(MONTHS.findIndex((month) => short(month) === parts[1]) + 1);
  const order = FORMS[form] || [2, 1, 0];
  const day = order.map((at) => two(parts[at] || "")).join("-");
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(utc(day).getTime()) ? day : "";
}

/** The calendar of one field, or of the two days of a journey. */
export function days(fields, front) {
  const inputs = fields.map((field) => field.querySelector("input"));
  const labels = fields.map((field) => field.querySelector("label").textContent);
  const name = front.words["open-calendar"].replace("{label}", labels.join(", "));
  const opener = make("button", {
    id: `${inputs[0].id}-calendar`, class: "opener", type: "button", "aria-label": name,
    "aria-haspopup": "dialog", "aria-expanded": "false", onclick: () => toggle(),
  });
  const box = make("div", { class: "dated" });
  let calendar = null;
  inputs[0].before(box);
  box.append(inputs[0], opener);

  const close = (back) => {
    calendar?.remove();
    calendar = null;
    opener.setAttribute("aria-expanded", "false");
    if (back) opener.focus();
  };
  const toggle = () => {
    if (calendar) return close(true);
    const open = inputs.filter((input) => !input.disabled);
    calendar = new Calendar(open, labels, name, front, () => close(true)).element;
    opener.setAttribute("aria-expanded", "true");
    box.append(calendar);
    calendar.querySelector("td [tabindex='0']").focus();
  };
  for (const input of inputs) {
    input.readOnly = true;
    input.addEventListener("click", () => calendar || toggle());
  }
  box.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && calendar) close(true);
  });
  document.addEventListener("focusin", ({ target }) => {
    if (calendar && !box.contains(target) && !inputs.includes(target)) close(false);
  });
}

class Calendar {
  constructor(inputs, labels, name, front, done) {
    Object.assign(this, { inputs, labels, done, front, at: 0, id: inputs[0].id });
    this.chosen = inputs.map((input) => known(input.value, front.day_form));
    this.months = months(front.first_day, front.last_day);
    this.day = this.within(this.chosen[0] || front.first_day);
    this.asked = make("p", { class: "asked", "aria-live": "polite" });
    this.month = make("select", {
      id: `${this.id}-month`, "aria-label": front.words["month-of"],
      onchange: () => this.go(this.month.value),
    }, this.months.map((value) => make("option", { value }, titled(value))));
    this.previous = this.turner("previous", -1);
    this.next = this.turner("next", 1);
    this.table = make("table", { onkeydown: (event) => this.walk(event) });
    this.element = make("div", { class: "calendar", role: "dialog", "aria-label": name },
      this.asked, make("div", { class: "turns" }, this.previous, this.month, this.next), this.table,
      make("button", {
        id: `${this.id}-done`, class: "btn", type: "button", onclick: done,
      }, front.words.close));
    this.draw();
  }

  /** The first day that can be picked now: none before the day out. */
  get first() {
    return this.at ? this.chosen[0] : this.front.first_day;
  }

  within(day) {
    const { last_day: last } = this.front;
    return day < this.first ? this.first : day > last ? last : day;
  }

  turner(name, by) {
    return make("button", {
      id: `${this.id}-${name}`, class: `turn ${name}`, type: "button",
      "aria-label": this.front.words[`${name}-month`], onclick: () => this.turn(by),
    });
  }

  turn(by) {
    const month = this.months[this.months.indexOf(this.day.slice(0, 7)) + by];
    if (month) this.go(month);
  }

  go(month) {
    const number = Math.min(+this.day.slice(8), lastOf(month));
    this.day = this.within(`${month}-${two(number)}`);
    this.draw();
  }

  draw() {
    const month = this.day.slice(0, 7), blank = utc(`${month}-01`).getUTCDay();
    say(this.asked, this.labels.length > 1
      ? this.front.words[this.at ? "pick-home" : "pick-out"] : this.labels[0]);
    this.month.value = month;
    this.previous.disabled = month === this.months[0];
    this.next.disabled = month === this.months.at(-1);
    const cells = Array.from({ length: blank }, () => make("td"));
    for (let number = 1; number <= lastOf(month); number++) {
      cells.push(make("td", {}, this.button(`${month}-${two(number)}`)));
    }
    const weeks = [];
    while (cells.length) weeks.push(make("tr", {}, cells.splice(0, 7)));
    this.table.replaceChildren(
      make("thead", { "aria-hidden": "true" },
        make("tr", {}, WEEKDAYS.map((text) => make("th", {}, text.slice(0, 2))))),
      make("tbody", {}, weeks));
  }

  button(day) {
    const [out, home] = this.chosen;
    return make("button", {
      id: `${this.id}-${day}`, type: "button", "aria-label": spoken(day),
      class: out && home && out < day && day < home ? "between" : null,
      tabindex: day === this.day ? "0" : "-1", disabled: this.within(day) !== day,
      "aria-pressed": this.chosen.includes(day) ? "true" : null,
      "aria-current": day === this.front.today ? "date" : null,
      onclick: () => this.take(day),
    }, `${+day.slice(8)}`);
  }

  /** A day is picked; after the day out the day home is asked for. */
  take(day) {
    this.set(this.at, day);
    if (this.at === 0 && this.inputs[1] && this.chosen[1] < day) this.set(1, "");
    this.at++;
    if (this.at >= this.inputs.length) return this.done();
    this.day = day;
    this.draw();
    this.table.querySelector("[tabindex='0']").focus();
  }

  set(at, day) {
    const input = this.inputs[at];
    this.chosen[at] = day;
    input.value = day && written(day, this.front.day_form);
    for (const kind of ["input", "change"]) input.dispatchEvent(new Event(kind, { bubbles: true }));
  }

  walk(event) {
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
    if (event.key in steps) {
      this.day = this.within(moved(this.day, steps[event.key]));
      this.draw();
    } else if (event.key === "PageUp") this.turn(-1);
    else if (event.key === "PageDown") this.turn(1);
    else return;
    event.preventDefault();
    this.table.querySelector("[tabindex='0']").focus();
  }
}
