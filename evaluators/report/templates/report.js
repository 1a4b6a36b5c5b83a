// Everything shown here came from pages and models: it is only ever set as text.
"use strict";
(() => {
  const OPEN = "<<<observation", CLOSE = "observation>>>";
  const at = (id) => document.getElementById(id);
  const data = (id) => JSON.parse(at(id).textContent);
  const title = document.title;
  let store, shown = null, frame = 0, left = 0;

  const make = (tag, kind = "", ...inside) => {
    const node = document.createElement(tag);
    if (kind) node.className = kind;
    node.append(...inside.filter((each) => each !== null && each !== ""));
    return node;
  };
  const fill = (id, ...inside) => {
    at(id).replaceChildren(...inside.filter((each) => each !== null));
    at(id).hidden = inside.length === 0;
  };
  const count = (number, word) => `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;

  // Texts ---------------------------------------------------------------------------------------

  const text = (number) => {
    store ??= data("texts");
    return store.texts[number].map((line) => store.lines[line]).join("\n");
  };

  const pre = (inside, label) => {
    const node = make("pre", "", inside);
    node.tabIndex = 0;
    node.setAttribute("role", "region");
    node.setAttribute("aria-label", label);
    return node;
  };

  // A long text; what stands between the observation's markers is set apart.
  const long = (number, label) => {
    const box = make("div", "text");
    let lines = [];
    const flush = (kind) => {
      const said = lines.join("\n");
      lines = [];
      if (said.trim()) box.append(kind ? make("div", "seen", make("p", "tag", "observation"), pre(said, "observation")) : pre(said, label));
    };
    for (const line of text(number).split("\n")) {
      if (line === OPEN) flush(false);
      else if (line === CLOSE) flush(true);
      else lines.push(line);
    }
    flush(false);
    const cut = store.cuts[number];
    if (cut) box.append(make("p", "cut", `Cut after ${cut.shown.toLocaleString("en")} of ${cut.whole.toLocaleString("en")} characters; the whole text is in ${cut.place}`));
    if (!box.childNodes.length) box.append(make("p", "quiet", "(empty)"));
    return box;
  };

  const folded = (label, note, open, inside) => {
    const node = make("details", "", make("summary", "", make("span", "role", label), " ", make("span", "quiet", note)));
    const draw = () => { if (node.open && node.childNodes.length === 1) node.append(inside()); };
    node.open = open;
    draw();
    node.addEventListener("toggle", draw);
    return node;
  };

  const table = (columns, rows, caption) => {
    const head = make("tr", "", ...columns.map((each) => make("th", "", each)));
    const body = rows.map((row) => make("tr", "", ...row.map((each, index) => make(index ? "td" : "th", "", each))));
    const node = make("table", "small", make("thead", "", head), make("tbody", "", ...body));
    if (caption) node.prepend(make("caption", "", caption));
    return node;
  };

  const pairs = (id, rows) => fill(id, ...rows.map(([name, value]) => make("div", "", make("dt", "", name), make("dd", "", value))));

  // A step --------------------------------------------------------------------------------------

  const letters = (number) => count(store.texts[number].reduce((sum, line) => sum + store.lines[line].length + 1, -1), "character");

  const message = (each, call) => {
    text(each.text);
    const note = each.new ? letters(each.text) : `${letters(each.text)}, sent before`;
    return folded(each.role, note, each.new, () => long(each.text, `${each.role} message of ${call.purpose}`));
  };

  // A prompt is stored as what it adds to the last one for the same purpose.
  const whole = (frames) => {
    const prompts = new Map();
    for (const call of frames.flatMap((each) => each.happened).filter((each) => each.kind === "call" && each.before !== null)) {
      const before = (prompts.get(call.purpose) ?? []).slice(0, call.before);
      call.messages = [...before.map((each) => ({ ...each, new: false })), ...call.messages];
      prompts.set(call.purpose, call.messages);
    }
  };

  const asked = (call) => {
    const [sent, received] = call.tokens;
    const figures = [];
    if (sent !== null) figures.push(`${sent.toLocaleString("en")} + ${(received ?? 0).toLocaleString("en")} tokens`);
    if (call.seconds !== null) figures.push(call.seconds < 1 ? `${(1000 * call.seconds).toFixed(1)} ms` : `${call.seconds.toFixed(2)} s`);
    if (call.settings) figures.push(call.settings);
    const box = make("section", "call", make("h5", "", make("span", "chip model", call.purpose), " ", call.policy ? make("span", "chip event", call.policy) : "", " ", make("span", "quiet", figures.join(" · "))));
    if (call.before === null) box.append(make("p", "quiet", "The prompt of this call cannot be shown."));
    const sent_before = call.messages.filter((each) => !each.new);
    if (sent_before.length) {
      box.append(folded("earlier messages", count(sent_before.length, "message"), false, () => make("div", "earlier", ...sent_before.map((each) => message(each, call)))));
    }
    box.append(...call.messages.filter((each) => each.new).map((each) => message(each, call)));
    if (call.tools !== null) box.append(folded("tools", "offered to the model", false, () => long(call.tools, "tools")));
    if (call.note) box.append(make("p", "error", call.note));
    if (!call.note || call.reply.length) box.append(make("div", "reply", make("p", "tag", "reply"), ...(call.reply.length ? call.reply.map((each) => long(each, "reply")) : [make("p", "quiet", "(empty)")])));
    return box;
  };

  const happened = (each) => {
    if (each.kind === "call") return asked(each);
    const kind = each.word === "error" ? "error" : "event";
    const box = make("div", kind, make("span", `chip ${kind}`, each.word), each.details ? make("span", "quiet", ` ${each.details}`) : "");
    if (each.text !== null) box.append(long(each.text, each.word));
    return box;
  };

  // The stack of policies: what lay there, then what was called and what returned.
  const stacked = (levels) => {
    const row = (each) => {
      const node = make("li", `level ${each.change}`, make("span", "chip event", each.policy));
      node.style.setProperty("--depth", each.depth - 1);
      if (each.change) node.append(make("span", "quiet", each.change === "push" ? " called for " : " returned "));
      if (each.text !== null) node.append(make("code", "", text(each.text)));
      else if (each.change) node.append(make("span", "quiet", "nothing"));
      return node;
    };
    return make("div", "stack", make("p", "tag", "stack of policies"), make("ol", "", ...levels.map(row)));
  };

  const named = (each) => {
    if (each.action) return each.action;
    const events = each.happened.filter((one) => one.kind === "event");
    const ending = events.find((one) => one.word === "end");
    return ending ? ending.details : events.length ? events.at(-1).word : "look";
  };

  const drawn = (each, index, total) => {
    const box = make("article", "", make("h4", "", `Step ${index + 1} of ${total}`, make("span", "quiet", each.title ? ` on “${each.title}”` : "")));
    if (each.url) box.append(make("p", "address", each.url));
    if (each.capped) box.append(make("p", "error", "The page was still busy when it was looked at."));
    if (each.stack.length) box.append(stacked(each.stack));
    if (each.text !== null) box.append(make("div", "seen", make("p", "tag", "page as text"), long(each.text, "page as text")));
    box.append(...each.happened.map(happened));
    if (each.action) {
      const action = make("div", "action", make("p", "tag", "action"), make("code", "", each.action));
      if (each.target) action.append(make("span", "target", ` → ${each.target}`));
      box.append(action);
    }
    if (each.error) (each.action ? box.lastChild : box).append(make("p", "error", each.error));
    return box;
  };

  const marks = (each) => {
    const words = each.happened.filter((one) => one.kind === "event" && one.word !== "end").map((one) => one.word);
    const chips = [...new Set(words)].map((word) => make("span", `chip ${word === "error" ? "error" : "event"}`, word));
    if (each.active) chips.unshift(make("span", "chip model", `${each.active.depth} · ${each.active.policy}`));
    return each.error ? [...chips, make("span", "chip error", "error")] : chips;
  };

  const step = (index, focus) => {
    const frames = shown.view.frames;
    frame = Math.max(0, Math.min(index, frames.length - 1));
    if (!frames.length) return;
    at("slider").value = frame;
    at("slider").setAttribute("aria-valuetext", `step ${frame + 1} of ${frames.length}`);
    at("position").textContent = `${frame + 1} / ${frames.length}`;
    at("backward").disabled = frame === 0;
    at("forward").disabled = frame === frames.length - 1;
    at("frame").replaceChildren(drawn(frames[frame], frame, frames.length));
    [...at("steps").children].forEach((item, number) => {
      item.firstChild.setAttribute("aria-current", number === frame ? "step" : "false");
      if (number === frame) reveal(item);
    });
    if (focus) history.replaceState(null, "", `#${shown.key}${frame ? `?step=${frame + 1}` : ""}`);
  };

  // Scrolls the list of steps and never the page.
  const reveal = (item) => {
    const list = at("steps");
    if (item.offsetTop < list.scrollTop) list.scrollTop = item.offsetTop;
    else if (item.offsetTop + item.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = item.offsetTop + item.offsetHeight - list.clientHeight;
  };

  // An episode ----------------------------------------------------------------------------------

  const rows = () => [...document.querySelectorAll("#episodes tbody tr")];
  const visible = () => rows().filter((row) => !row.hidden);

  const verdict = (row) => {
    const cells = row.cells, texts = [...cells].map((cell) => cell.textContent.trim().replace(/\s+/g, " "));
    const named = [...document.querySelectorAll("#episodes thead th")].map((cell) => cell.textContent.trim());
    const of = (name) => texts[named.indexOf(name)];
    const chip = cells[named.indexOf("success")].querySelector(".chip");
    const word = { succeeded: "✓ success", failed: "✗ no success" }[row.dataset.outcome] ?? chip.textContent;
    const told = [make("span", chip.className, word), make("span", "chip", of("ended"))];
    for (const name of ["progress", "reward", "strict", "cost"]) {
      if (of(name) !== "–") told.push(make("span", "chip", `${name === "strict" ? "strict reward" : name} ${of(name)}`));
    }
    return told;
  };

  const checks = (view) => {
    fill("checks", ...(view.checks ?? []).map(([name, held, evidence]) =>
      make("li", held ? "held" : "broken", make("strong", "", held ? "✓ " : "✗ ", name), make("span", "quiet", held ? " held" : " failed"), make("p", "evidence", evidence))));
    const other = view.collateral ?? [];
    fill("collateral", ...(other.length ? [make("p", "tag", "changes nobody asked for"), make("p", "error", other.join(", "))] : []));
    const steps = view.progress ?? [];
    fill("progress", ...(steps.length ? [make("p", "tag", "progress by step"), table(["step", "progress"], steps.map(([name, value]) => [name, value.toFixed(2)]))] : []));
    at("checks-card").hidden = !(view.checks ?? []).length;
  };

  const spent = (view) => {
    pairs("facts", view.facts ?? []);
    const known = (value, digits = 0) => (value === null ? "–" : value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }));
    const purposes = (view.purposes ?? []).map(([name, calls, sent, received, seconds]) => [name, known(calls), known(sent), known(received), known(seconds, 3)]);
    fill("purposes", ...(purposes.length ? [table(["purpose", "calls", "prompt", "completion", "seconds"], purposes)] : []));
    at("facts-card").hidden = !view.facts;
  };

  const remains = (view) => {
    const left = view.world.map((each) => make("div", "scroll", each.rows.length ? table(each.columns, each.rows, each.name) : make("p", "quiet", `${each.name}: no rows`),
      each.more ? make("p", "cut", `and ${count(each.more, "row")} more in final_world.json`) : ""));
    fill("world", ...left);
    at("world-card").hidden = !left.length;
    at("command").textContent = view.command ?? "";
    at("command-card").hidden = !view.command;
    pairs("hashes", view.hashes ?? []);
  };

  const neighbours = (row) => {
    const list = visible(), place = list.indexOf(row);
    at("place").textContent = place < 0 ? "" : `${place + 1} of ${list.length}`;
    for (const [id, other] of [["former", list[place - 1]], ["later", list[place + 1]]]) {
      at(id).hidden = place < 0 || !other;
      if (other) at(id).href = `#${other.dataset.key}`;
    }
  };

  const show = (row, first) => {
    const view = data(`episode-${row.dataset.index}`);
    shown = { key: row.dataset.key, view, row };
    whole(view.frames);
    at("agent").textContent = row.cells[0].textContent;
    at("scenario").textContent = row.cells[1].textContent;
    fill("verdict", ...verdict(row));
    fill("instruction", ...(view.instruction ? [view.instruction] : []));
    fill("faults", ...view.faults.map((each) => make("li", "", each)));
    fill("trouble", ...(view.error ? [view.error] : []));
    fill("answer", ...(view.answer ? [make("span", "tag", "answer"), " ", view.answer] : []));
    checks(view);
    const parts = view.parts?.rows ?? [];
    fill("parts", ...(parts.length ? [table(view.parts.columns, parts)] : []));
    at("parts-card").hidden = !parts.length;
    spent(view);
    remains(view);
    at("slider").max = Math.max(0, view.frames.length - 1);
    at("steps-section").hidden = !view.frames.length;
    at("steps").replaceChildren(...view.frames.map((each, index) => {
      const button = make("button", "", make("span", "label", named(each)), ...marks(each));
      button.type = "button";
      button.addEventListener("click", () => step(index, true));
      return make("li", "", button);
    }));
    neighbours(row);
    step(first, false);
    document.title = `${row.cells[0].textContent} on ${row.cells[1].textContent} · ${title}`;
  };

  const route = () => {
    const [, key, number] = /^#?(.*?)(?:\?step=(\d+))?$/.exec(location.hash);
    const row = rows().find((each) => each.dataset.key === key);
    const entering = row && !shown;
    if (entering) left = scrollY;
    if (row && shown?.key === key) step(Number(number ?? 1) - 1, false);
    else if (row) show(row, Number(number ?? 1) - 1);
    at("episode").hidden = !row;
    at("overview").hidden = Boolean(row);
    document.body.classList.toggle("single", Boolean(row));
    if (row) return focusOn(at("episode"), 0);
    const before = shown?.row;
    shown = null;
    document.title = title;
    if (before) focusOn(before.querySelector("a"), left);
  };

  const focusOn = (node, top) => {
    node.focus({ preventScroll: true });
    scrollTo(0, top);
  };

  // The table -----------------------------------------------------------------------------------

  const sift = () => {
    const wanted = at("words").value.toLowerCase().split(/\s+/).filter(Boolean), outcome = at("outcome").value;
    for (const row of rows()) {
      const said = row.textContent.toLowerCase();
      const fits = !outcome || outcome === row.dataset.outcome || outcome === `ended ${row.dataset.ended}`;
      row.hidden = !fits || !wanted.every((word) => said.includes(word));
    }
    const fit = visible().length, all = rows().length;
    at("count").textContent = fit === all ? count(all, "episode") : `${fit} of ${count(all, "episode")}`;
    at("none").hidden = fit > 0;
  };

  const order = new Intl.Collator("en", { numeric: true });
  const compare = (a, b, index, kind) => {
    const one = a.cells[index], other = b.cells[index];
    if (kind !== "number") return order.compare(one.textContent, other.textContent);
    return (one.dataset.value === "") - (other.dataset.value === "") || one.dataset.value - other.dataset.value;
  };

  const sort = (button) => {
    const head = button.closest("th"), body = document.querySelector("#episodes tbody");
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const each of head.parentNode.cells) each.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const sign = down ? -1 : 1;
    body.append(...rows().sort((a, b) => sign * compare(a, b, head.cellIndex, button.dataset.kind) || a.dataset.index - b.dataset.index));
  };

  // Doors ---------------------------------------------------------------------------------------

  const keys = {
    ArrowLeft: () => step(frame - 1, true), k: () => step(frame - 1, true),
    ArrowRight: () => step(frame + 1, true), j: () => step(frame + 1, true),
    p: () => at("former").hidden || at("former").click(),
    n: () => at("later").hidden || at("later").click(),
    Escape: () => { location.hash = "overview"; },
  };

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.matches?.("select, input:not([type=range])");
    if (!shown && event.key === "/" && !typing && at("words")) { event.preventDefault(); at("words").focus(); }
    if (!shown || typing || !Object.hasOwn(keys, event.key)) return;
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
  at("backward").addEventListener("click", () => step(frame - 1, true));
  at("forward").addEventListener("click", () => step(frame + 1, true));
  at("filters")?.addEventListener("submit", (event) => event.preventDefault());
  at("filters")?.addEventListener("input", sift);
  for (const button of document.querySelectorAll("button.sort")) button.addEventListener("click", () => sort(button));
  if (at("filters")) sift();
  route();
})();
