// Forms from the site's description of their fields: label, control, hint and message of each,
// drafts as they change, and what the site says against them.

import { airport } from "/shared/fields/airport.js";
import { picture } from "./ambiguous.js";
import { dated } from "/shared/fields/calendar.js";
import { find, make, mark, say } from "/shared/fields/dom.js";
import { note, tell } from "./net.js";

const WIDTHS = {
  "trip-type": "w2", from: "w3", to: "w3", departure: "w2", return: "w2",
  title: "w2", "first-name": "w5", "last-name": "w5",
  "card-number": "w6", expiry: "w3", cvc: "w3",
};
const LONGEST_DRAFT = 10_000;
const KEYBOARDS = { "card-number": "numeric", cvc: "numeric" };

/** A form for the screen's values; `send(control)` is called when it is submitted. */
export const form = (screen, send, ...content) => make("form", {
  novalidate: true,
  autocomplete: "off",
  oninput: (event) => touched(screen, event.target),
  onchange: keep,
  onsubmit: (event) => {
    event.preventDefault();
    send((event.submitter || event.target.querySelector("[type=submit]")).id);
  },
}, make("div", { id: "problems", class: "notice bad", role: "alert", tabindex: "-1" }), ...content);

/** The fields in the order in which the site gives them. */
export function fields(screen, desk) {
  const all = make("div", { class: `fields ${screen.screen}` },
    screen.fields.map((field) => block(field, desk)));
  const trip = all.querySelector("#trip-type");
  if (trip) {
    const switched = () => all.querySelectorAll("#return, #return-calendar").forEach((each) => {
      each.disabled = trip.value === "one-way";
    });
    trip.addEventListener("input", switched);
    switched();
  }
  return all;
}

function block(field, desk) {
  const { id, label, hint, picture: address } = field;
  const bare = desk.knobs.hidden_labels;
  const caption = bare
    ? make("span", { class: "caption" }, address ? picture(address) : label) : make("label", { for: id }, label);
  const help = make("p", { id: `${id}-hint`, class: "hint" }, hint || "");
  return make("div", { class: `field ${WIDTHS[id] || ""}` }, caption,
    control(field, desk, help),
    make("p", { id: `${id}-problem`, class: "problem", "aria-live": "polite" }), help);
}

function control(field, desk, help) {
  const { id, type, value } = field;
  if (type === "choice") return choice(field);
  const input = make("input", {
    id, name: id, type: "text", value, autocomplete: "off", spellcheck: "false",
    inputmode: KEYBOARDS[id] || null, "aria-describedby": `${id}-hint`,
  });
  if (type === "airport") return airport(input, desk.airports, help);
  if (type === "date") return dated(input, field.label, desk);
  return input;
}

function choice({ id, options, value }) {
  const select = make("select", { id, name: id, "aria-describedby": `${id}-hint` },
    options.map((option) => make("option", { value: option.value }, option.label)));
  if (!options.some((option) => option.value === value)) {
    select.prepend(make("option", { value: "" }, "Choose"));
  }
  select.value = value;
  return select;
}

let unkept = null;

/** A field is being changed: what was said against it holds no longer. */
function touched({ screen, subject }, control) {
  const { name, form } = control;
  if (!name) return;
  unkept = { screen, subject, control };
  accuse(form, name, "");
  find("problems").replaceChildren();
}

/** Tell the site the draft of the field that was changed last, unless it knows it. */
export function keep() {
  if (!unkept) return;
  const { screen, subject, control: { name, value } } = unkept;
  unkept = null;
  note({ kind: "draft", screen, subject, field: name, value: value.slice(0, LONGEST_DRAFT) });
  tell();
}

/** Every value of a form by its control's name; "" where nothing is chosen. */
export function values(form) {
  const all = {};
  for (const control of form.elements) {
    if (!control.name) continue;
    if (control.type !== "radio") all[control.name] = control.value;
    else if (control.checked || !(control.name in all)) {
      all[control.name] = control.checked ? control.value : "";
    }
  }
  return all;
}

/** Say what is wrong beside each field, and in a list on top where there is more than one; the
 * first such field gets the focus. `labels` are what the list calls the fields. */
export function complain(form, errors, labels) {
  const controls = [...new Set([...form.elements].map(({ name }) => name))].filter((name) => name);
  for (const name of controls) accuse(form, name, errors[name] || "");
  const wrong = controls.filter((name) => errors[name]);
  const others = Object.keys(errors).filter((name) => !controls.includes(name));
  const summary = find("problems");
  if (wrong.length === 1 && !others.length) summary.replaceChildren();
  else summary.replaceChildren(...listed(form, wrong, others, errors, labels));
  (wrong.length ? controlOf(form, wrong[0]) : summary).focus();
}

const listed = (form, wrong, others, errors, labels) => [
  make("strong", {}, wrong.length ? `${wrong.length} fields need attention` : "Please check this"),
  make("ul", {},
    wrong.map((name) => make("li", {}, link(form, name, (labels[name] || "") + errors[name]))),
    others.map((name) => make("li", {}, errors[name])))];

const link = (form, name, sentence) => make("a", {
  href: `#${name}`,
  onclick: (event) => {
    event.preventDefault();
    controlOf(form, name).focus();
  },
}, sentence);

function controlOf(form, name) {
  const control = form.elements[name];
  if (control instanceof Element) return control;
  const radios = [...control];
  return radios.find((each) => each.checked) || radios.find((each) => !each.disabled) || radios[0];
}

/** Say what is wrong with a field beside it, "" for nothing. */
function accuse(form, name, sentence) {
  const message = find(`${name}-problem`);
  if (!message) return;
  say(message, sentence);
  const control = form.elements[name], hint = find(`${name}-hint`);
  for (const each of control instanceof Element ? [control] : control) {
    mark(each, "aria-invalid", sentence && "true");
    mark(each, "aria-describedby", sentence ? message.id : hint && hint.id);
  }
}

/** Show what the site says of the values: its line, and a message beside each wrong one. What is
 * being changed is left alone, for the site does not know its new value yet; so is what is empty,
 * of which it was said when the form was sent. */
export function appraise(form, { line, problems }) {
  if (!form) return;
  say(find("summary"), line && `So far: ${line}`);
  for (const [name, value] of Object.entries(values(form))) {
    const about = value || problems[name];
    if (about && name !== unkept?.control.name) accuse(form, name, problems[name] || "");
  }
}
