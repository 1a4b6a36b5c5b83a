// What is shown, by the part of the address after "#": an episode, two with "&" between them, or all.
const views = ["overview", "episode", "beside"];
let place = "overview", left = 0, last = null;

const route = () => {
  const [, name, number] = /^#?(.*?)(?:\?step=(\d+))?$/.exec(location.hash);
  const [row, other] = name.split("&").map(find);
  const next = !row ? "overview" : !name.includes("&") ? "episode" : other ? "beside" : "overview";
  if (place === "overview" && next !== "overview") left = scrollY;
  const wanted = number === undefined ? undefined : Number(number) - 1;
  if (next === "episode" && shown?.key === name) step(wanted ?? opening(row, shown.view.frames.length), false);
  else if (next === "episode") show(row, wanted);
  else shown = null;
  if (next === "beside") beside(row, other);
  if (next !== "episode") at("large").close();
  document.body.classList.toggle("pictured", Boolean(shown?.view.pictures));
  for (const each of views) at(each).hidden = each !== next;
  document.body.classList.toggle("single", next !== "overview");
  turned(next);
  last = row ?? last;
  place = next;
};

// The focus goes to what is shown, and on return to where one came from.
const turned = (next) => {
  if (next !== "overview") return focusOn(at(next), 0);
  document.title = title;
  if (place !== "overview") focusOn(last.querySelector("a"), left);
};

const focusOn = (node, top) => {
  node.focus({ preventScroll: true });
  scrollTo(0, top);
};

const keys = {
  ArrowLeft: () => step(frame - 1, true), k: () => step(frame - 1, true),
  ArrowRight: () => step(frame + 1, true), j: () => step(frame + 1, true),
  p: () => at("former").hidden || at("former").click(),
  n: () => at("later").hidden || at("later").click(),
  z: () => enlarge(),
  Escape: () => { location.hash = "overview"; },
};

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.matches?.("select, input:not([type=range])");
  if (place === "overview" && event.key === "/" && !typing && at("words")) { event.preventDefault(); at("words").focus(); }
  if (place === "beside" && event.key === "Escape" && !typing) keys.Escape();
  if (!shown || typing || !Object.hasOwn(keys, event.key)) return;
  if (at("large").open && event.key === "Escape") return;
  if (event.target === at("slider") && event.key.startsWith("Arrow")) return;
  event.preventDefault();
  keys[event.key]();
});
addEventListener("beforeprint", () => {
  const frames = shown?.view.frames ?? [];
  at("printed").replaceChildren(...frames.map((each, index) => drawn(each, index, frames.length)));
});
addEventListener("afterprint", () => at("printed").replaceChildren());
addEventListener("hashchange", route);
at("slider").addEventListener("input", () => step(Number(at("slider").value), true));
at("last").addEventListener("click", () => {
  step(Infinity, true);
  at("steps-section").scrollIntoView();
});
at("copy").addEventListener("click", copy);
at("backward").addEventListener("click", () => step(frame - 1, true));
at("forward").addEventListener("click", () => step(frame + 1, true));
at("filters")?.addEventListener("submit", (event) => event.preventDefault());
at("filters")?.addEventListener("input", sift);
at("filters")?.addEventListener("reset", () => setTimeout(sift));
at("pair").addEventListener("change", chosen);
at("pair").addEventListener("submit", (event) => event.preventDefault());
at("pair-first").addEventListener("click", () => {
  at("first-difference").focus({ preventScroll: true });
  at("first-difference").scrollIntoView({ block: "center" });
});
for (const button of document.querySelectorAll("button.sort")) button.addEventListener("click", () => sort(button));
if (at("filters")) sift();
route();
