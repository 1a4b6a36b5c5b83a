"use strict";

// What is typed into the form is kept by the site as a draft. One draft is on its way at a time;
// what is typed meanwhile follows at once, a field's newest value only. The form is sent when all
// drafts have arrived, so that none of them comes after it or is lost.

const form = document.getElementById("contact");
const note = document.getElementById("kept");
const told = new Map();
const untold = new Map();
const LONGEST = 5_000;
let telling = null;
let waits = false;

function post(field, value) {
  const { csrf, messages } = form.elements;
  return fetch(form.dataset.drafts, {
    method: "POST",
    keepalive: true,
    body: new URLSearchParams({ csrf: csrf.value, messages: messages.value, field, value }),
  });
}

async function tellAll() {
  try {
    while (untold.size) {
      const [field, value] = untold.entries().next().value;
      untold.delete(field);
      told.set(field, value);
      const answer = await post(field, value);
      await answer.text(); // what is not read does not end
      note.textContent = answer.ok ? "Draft saved." : "This draft cannot be saved.";
    }
  } catch {
    told.clear();
    untold.clear();
    note.textContent = "The draft could not be saved: there is no connection.";
  }
  telling = null;
}

function typed({ target }) {
  const name = target.name, value = target.value.slice(0, LONGEST);
  if ((untold.get(name) ?? told.get(name)) === value) return;
  untold.set(name, value);
  telling ??= tellAll();
}

function sent(event) {
  if (!telling) return;
  event.preventDefault();
  if (waits) return;
  waits = true;
  telling.then(() => {
    waits = false;
    form.requestSubmit(event.submitter);
  });
}

form.addEventListener("input", typed);
form.addEventListener("change", typed);
form.addEventListener("submit", sent);
