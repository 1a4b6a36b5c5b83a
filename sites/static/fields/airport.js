// An airport field: type a code, a city or a name, or choose a suggestion (ARIA's editable combo
// box with a list). What is typed in full needs no choice, and then the list goes away.

import { make, mark, say } from "./dom.js";

const MOST = 6;

const plain = (text) => text.normalize("NFD").replace(/[\u0300-\u036f]/g, "")
  .replace(/\s+/g, " ").trim().toLowerCase();

/** The one airport that a text names in full, or undefined. */
function named(text, airports) {
  const wanted = plain(text);
  const is = (...texts) => texts.some((each) => plain(each) === wanted);
  const found = airports.find(({ code, label, name }) => is(code, label, name));
  const inCity = airports.filter(({ city }) => is(city));
  return found || (inCity.length === 1 ? inCity[0] : undefined);
}

/** Airports for the beginning of a text: codes first, then cities, then words of their names. */
function suggested(text, airports) {
  const wanted = plain(text);
  if (!wanted) return [];
  const rank = ({ code, city, name }) => {
    if (plain(code).startsWith(wanted)) return 0;
    if (plain(city).startsWith(wanted)) return 1;
    return ` ${plain(`${city} ${name}`)}`.includes(` ${wanted}`) ? 2 : 3;
  };
  const ranked = airports.map((airport) => [rank(airport), airport]).filter(([at]) => at < 3);
  return ranked.sort(([a], [b]) => a - b).slice(0, MOST).map(([, airport]) => airport);
}

/** The field around `input`; `help` tells which airport it names. */
export function airport(input, airports, help) {
  const { id } = input, usual = help.textContent;
  const list = make("ul", {
    id: `${id}-options`, class: "options", role: "listbox", "aria-label": "Suggestions",
    hidden: true,
  });
  let active = -1;

  const close = () => {
    if (list.hidden) return;
    list.hidden = true;
    list.replaceChildren();
    active = -1;
    mark(input, "aria-activedescendant", "");
    input.setAttribute("aria-expanded", "false");
  };
  const take = (chosen) => {
    input.value = chosen.label;
    for (const kind of ["input", "change"]) input.dispatchEvent(new Event(kind, { bubbles: true }));
    input.focus();
  };
  const option = (each, at) => make("li", {
    id: `${id}-option-${at + 1}`, role: "option", "aria-selected": "false",
    "aria-label": each.label, onclick: () => take(each),
    onmousedown: (event) => event.preventDefault(),
  }, make("b", {}, each.code), make("span", {}, each.name));
  const open = () => {
    const found = suggested(input.value, airports);
    if (!found.length) return close();
    list.replaceChildren(...found.map(option));
    list.hidden = false;
    active = -1;
    mark(input, "aria-activedescendant", "");
    input.setAttribute("aria-expanded", "true");
  };
  const turn = (by) => {
    if (list.hidden) return open();
    const options = [...list.children];
    options[active]?.setAttribute("aria-selected", "false");
    active = (active + by + options.length + (active < 0 && by < 0)) % options.length;
    options[active].setAttribute("aria-selected", "true");
    input.setAttribute("aria-activedescendant", options[active].id);
  };
  const tell = () => {
    const known = named(input.value, airports);
    say(help, !known ? usual : known.label === input.value ? "" : known.label);
    return known;
  };

  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-expanded", "false");
  input.setAttribute("aria-controls", list.id);
  input.addEventListener("input", () => (tell() ? close() : open()));
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") turn(1);
    else if (event.key === "ArrowUp") turn(-1);
    else if (event.key === "Enter" && active >= 0) list.children[active].click();
    else if (event.key === "Escape" && !list.hidden) close();
    else return;
    event.preventDefault();
  });
  tell();
  return [input, list];
}
