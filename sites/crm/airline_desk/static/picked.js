// An airport that must be picked from the list that opens while one types. What is only typed
// names none: the code goes along in a field of its own.

import { make, mark, say } from "/shared/fields/dom.js";

const MOST = 8;

const plain = (text) => text.normalize("NFD").replace(/[\u0300-\u036f]/g, "")
  .replace(/\s+/g, " ").trim().toLowerCase();

/** Rows for the beginning of a text; a city with several airports has a row before them. */
function rows(text, { airports, words }) {
  const wanted = plain(text);
  if (!wanted) return [];
  const fits = ({ code, city, label }) => plain(code).startsWith(wanted)
    || ` ${plain(`${city} ${label}`)}`.includes(` ${wanted}`);
  const found = airports.filter(fits).sort((a, b) => (a.label < b.label ? -1 : 1));
  const several = (city) => airports.filter((each) => each.city === city).length > 1;
  const cities = [...new Set(found.map(({ city }) => city))];
  return cities.flatMap((city) => [
    ...(several(city) ? [{ code: `*${city}`, label: words["all-airports"].replace("{city}", city) }]
      : []),
    ...found.filter((each) => each.city === city),
  ]).slice(0, MOST);
}

export function picked(field, front) {
  const [input, code] = field.querySelectorAll("input"), { id } = input, { words } = front;
  const list = make("ul", {
    id: `${id}-options`, class: "options", role: "listbox", "aria-label": words.suggestions,
    hidden: true,
  });
  const state = make("p", { id: `${id}-picked`, class: "hint", "aria-live": "polite" });
  let active = -1;

  const tell = () => say(state, code.value
    ? words.picked.replace("{offer}", input.value) : words["none-picked"]);
  const close = () => {
    list.hidden = true;
    list.replaceChildren();
    active = -1;
    mark(input, "aria-activedescendant", "");
    input.setAttribute("aria-expanded", "false");
  };
  const take = (row) => {
    input.value = row.label;
    code.value = row.code;
    tell();
    close();
    input.focus();
  };
  const option = (row, at) => make("li", {
    id: `${id}-option-${at + 1}`, role: "option", "aria-selected": "false",
    onclick: () => take(row), onmousedown: (event) => event.preventDefault(),
  }, row.label);
  const open = () => {
    const found = rows(input.value, front);
    if (!found.length) return close();
    list.replaceChildren(...found.map(option));
    list.hidden = false;
    active = -1;
    mark(input, "aria-activedescendant", "");
    input.setAttribute("aria-expanded", "true");
  };
  const turn = (by) => {
    if (list.hidden) open();
    const options = [...list.children];
    if (!options.length) return;
    options[active]?.setAttribute("aria-selected", "false");
    active = (active + by + options.length + (active < 0 && by < 0)) % options.length;
    options[active].setAttribute("aria-selected", "true");
    input.setAttribute("aria-activedescendant", options[active].id);
  };

  for (const [name, value] of Object.entries({
    role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false",
    "aria-controls": list.id,
    "aria-describedby": `${input.getAttribute("aria-describedby") || ""} ${state.id}`.trim(),
  })) input.setAttribute(name, value);
  input.addEventListener("input", () => {
    code.value = "";
    tell();
    open();
  });
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") turn(1);
    else if (event.key === "ArrowUp") turn(-1);
    else if (event.key === "Enter" && active >= 0) list.children[active].click();
    else if (event.key === "Escape" && !list.hidden) close();
    else return;
    event.preventDefault();
  });
  addEventListener("pageshow", tell);
  code.after(list);
  field.append(state);
  tell();
}
