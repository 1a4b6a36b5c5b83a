"use strict";

// The scenario page asks once a second how far its scenario got, while it is open and in view.
// Whatever has changed is taken from a fresh copy of the page, so it is written in one place only.

const EVERY_MS = 1000;
const main = document.querySelector("main");
const watched = main.dataset.scenario;
let seen = "";
let timer;

async function freshPart(id) {
  const page = await ask(location.pathname, "text");
  const fresh = new DOMParser().parseFromString(page, "text/html");
  const part = fresh.getElementById(id);
  const old = document.getElementById(id);
  if (!part || !old) throw new Error("the page has changed");
  const before = [...old.querySelectorAll("details")];
  [...part.querySelectorAll("details")].forEach((each, place) => {
    each.open = Boolean(before[place] && before[place].open);
  });
  old.replaceWith(part);
  document.title = fresh.title;
}

async function ask(address, kind) {
  const answer = await fetch(address, { cache: "no-store", redirect: "error" });
  if (!answer.ok) throw Object.assign(new Error(), { status: answer.status });
  return answer[kind]();
}

async function look() {
  const text = await ask(`/evaluate?scenario=${encodeURIComponent(watched)}`, "text");
  tell("");
  if (text === seen) return;
  const now = JSON.parse(text);
  if (now.closed || String(now.opening) !== main.dataset.opening) {
    location.reload();
    return;
  }
  const first = seen === "";
  const before = document.getElementById("total").textContent;
  await freshPart("live");
  seen = text;
  const total = document.getElementById("total").textContent;
  if (!first && total !== before) say(`Progress ${total}`);
}

async function watch() {
  clearTimeout(timer);
  if (document.hidden) return;
  try {
    await look();
  } catch (error) {
    tell(trouble(error));
    if (error.status) return;
  }
  timer = setTimeout(watch, EVERY_MS);
}

function trouble(error) {
  if (error.status === 404) return "This scenario is not open any more. Draw it again on the first page.";
  if (error.status) return "The control plane refuses. Open it again with the address that rehearse serve printed.";
  return "The control plane does not answer. Is rehearse serve still running?";
}

function tell(text) {
  const place = document.getElementById("trouble");
  if (place.textContent !== text) place.textContent = text;
  place.hidden = !text;
}

function say(text) {
  document.getElementById("said").textContent = text;
}

if (watched && !("closed" in main.dataset)) {
  document.addEventListener("visibilitychange", watch);
  watch();
}

// The list of the first page is renewed when somebody comes back to it.
if (document.getElementById("opened")) {
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) freshPart("opened").catch(() => {});
  });
}

async function copy(button) {
  const text = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(text.textContent);
    button.textContent = "Copied";
    say("Copied");
  } catch {
    getSelection().selectAllChildren(text);
    say("Selected; copy it with the keyboard");
  }
}

for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", () => copy(button));
}
