"use strict";

// What is typed into the form is kept by the site as a draft. One draft is on its way at a time;
// what is typed meanwhile follows at once, a field's newest value only.

const form = document.getElementById("contact");
const note = document.getElementById("kept");
const told = new Map();
const untold = new Map();
const LONGEST = 5_000;
let telling = false;

function post(field, value) {
  const { csrf, messages } = form.elements;
  return fetch(form.dataset.drafts, {
    method: "POST",
    keepalive: true,
    body: new URLSearchParams({ csrf: csrf.value, messages: messages.value, field, value }),
  });
}

async function tell() {
  if (telling) return;
  telling = true;
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
    note.textContent = "The draft could not be saved: there is no connection.";
  } finally {
    telling = false;
  }
}

function typed({ target }) {
  const name = target.name, value = target.value.slice(0, LONGEST);
  if ((untold.get(name) ?? told.get(name)) === value) return;
  untold.set(name, value);
  tell();
}

form.addEventListener("input", typed);
form.addEventListener("change", typed);
form.addEventListener("submit", () => untold.clear());
