// The desk: one page that shows the screen of its address, and goes on by the site's answers.

import { spoken } from "/shared/fields/calendar.js";
import { find, make, mark, say } from "/shared/fields/dom.js";
import { appraise, complain, keep, values } from "./form.js";
import { addressed, commit, connect, note, read, Refusal, tell } from "./net.js";
import { heading, view } from "./screens.js";
import { survey } from "./survey.js";

const NOTICEABLE_MS = 200;

const desk = JSON.parse(find("boot").textContent);
const main = find("main");
let screen = desk.screen;
let loading = new AbortController();
let committing = false;

function show(next, focus = true) {
  screen = next;
  document.title = `${heading(screen)} · Contrail`;
  const bookings = location.pathname.startsWith("/bookings");
  mark(find("nav-flights"), "aria-current", !bookings && "page");
  mark(find("nav-bookings"), "aria-current", bookings && "page");
  main.replaceChildren(...view(screen, desk, send).filter(Boolean));
  if (screen.ambiguous) appraise(main.querySelector("form"), screen);
  if (focus) arrive();
  if (screen.survey) survey(answered);
}

function arrive() {
  scrollTo(0, 0);
  main.querySelector("h1").focus({ preventScroll: true });
}

function answered(control) {
  note({ kind: "click", screen: screen.screen, subject: screen.subject, control });
  tell();
  main.querySelector("h1").focus({ preventScroll: true });
}

/** Show that an answer is awaited, where it takes a while; returns what ends it. */
function waiting() {
  const late = setTimeout(() => main.setAttribute("aria-busy", "true"), NOTICEABLE_MS);
  return () => {
    clearTimeout(late);
    main.removeAttribute("aria-busy");
  };
}

/** Go to an address of the desk; `push` makes a new entry of the history. */
async function open(address, push) {
  keep();
  loading.abort();
  loading = new AbortController();
  const { signal } = loading, done = waiting();
  try {
    const next = await read(address, signal);
    if (signal.aborted) return;
    if (push) history.pushState(null, "", addressed(next.address));
    show(next);
  } catch (problem) {
    if (problem.name === "AbortError" || signal.aborted) return;
    if (!(problem instanceof Refusal)) throw problem;
    if (push) history.pushState(null, "", addressed(address));
    lose(problem, address);
  } finally {
    done();
  }
}

/** Press a button that the site must agree to; its answer says where to go on. */
async function send(control) {
  if (committing) return;
  keep();
  committing = true;
  const form = main.querySelector("form"), { signal } = loading, done = waiting();
  try {
    const { review, version } = screen;
    const body = review ? { control, version, values: review.values, reviewed: review.token }
      : { control, version, values: form ? values(form) : {} };
    const reply = await commit(screen.address, body);
    if (signal.aborted) return;
    const { address } = reply.screen;
    const another = address !== location.pathname || reply.screen.review;
    if (another) history.pushState(null, "", addressed(address));
    show(reply.screen);
  } catch (problem) {
    if (!(problem instanceof Refusal)) throw problem;
    if (!signal.aborted) oppose(form, problem);
  } finally {
    committing = false;
    done();
  }
}

function oppose(form, refusal) {
  find("refusal")?.remove();
  const errors = screen.fields.length === 1 && refusal.status === 404
    ? { [screen.fields[0].id]: refusal.message } : refusal.errors;
  if (form && Object.keys(errors).length) return complain(form, errors, labels());
  const notice = make("p", { id: "refusal", class: "notice bad", role: "alert", tabindex: "-1" },
    sentence(refusal), " ", way(refusal));
  main.querySelector(".head").after(notice);
  scrollTo(0, 0);
  notice.focus();
}

/** What the list of problems calls each field; without labels there is nothing to call it. */
const labels = () => (desk.knobs.hidden_labels ? {}
  : Object.fromEntries(screen.fields.map(({ id, label }) => [id, `${label}: `])));

const sentence = ({ message, errors, status }) => message || Object.values(errors).join(" ")
  || `The desk does not take this (${status}). Load the page again.`;

/** The way on that the site offers, unless it leads to where one is. */
const way = ({ address, label }) => (address && address !== screen.address
  ? make("a", { id: "way-on", class: "btn", href: addressed(address) }, label) : null);

/** An address that shows no screen: say why, and how to go on. */
function lose(refusal, address) {
  screen = { screen: "", address };
  document.title = "We cannot show that · Contrail";
  main.replaceChildren(make("div", { class: "lost" },
    make("img", { src: "/shared/lost.svg", alt: "", width: "176", height: "176" }),
    make("h1", { tabindex: "-1" }, "We cannot show that"),
    make("p", { class: "notice bad", role: "alert" }, sentence(refusal)),
    make("p", { class: "actions" }, way(refusal)
      || make("a", { id: "way-on", class: "btn", href: addressed(address) }, "Try again"))));
  arrive();
}

const plain = (event) => !event.defaultPrevented && event.button === 0
  && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='/']");
  if (!link || !plain(event)) return;
  event.preventDefault();
  open(link.pathname, link.pathname !== location.pathname);
});

document.addEventListener("click", (event) => {
  const control = event.target.closest("a[id], button[id], input[id], select[id], [role=option]");
  if (!screen.screen || !control || control.type === "submit" || control.closest("#survey")) return;
  if (screen.buttons.some(({ id, action }) => id === control.id && action === "commit")) return;
  note({ kind: "click", screen: screen.screen, subject: screen.subject, control: control.id });
}, true);

addEventListener("beforeunload", keep);
addEventListener("popstate", () => open(location.pathname, false));

say(find("today"), spoken(desk.today));
/** What the site says of values that were told to it, unless another screen is shown by now. */
function appraised(verdict) {
  if (verdict.address !== screen.address || screen.review) return;
  appraise(main.querySelector("form"), verdict);
}

connect(desk.csrf, location.search, appraised);
show(screen, false);
