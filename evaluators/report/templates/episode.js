// An episode: its score, what it spent, its steps, what it changed.
const rows = () => [...document.querySelectorAll("#episodes tbody tr")];
const visible = () => rows().filter((row) => !row.hidden);
const find = (key) => rows().find((row) => row.dataset.key === key);
const viewed = (row) => {
  const view = data(`episode-${row.dataset.index}`);
  view.frames = whole(view.frames);
  pictured(view, row.dataset.index);
  return view;
};

// The other episodes of its scenario.
const kin = (row) => rows().filter((each) => each !== row && each.dataset.family && each.dataset.scenario === row.dataset.scenario);
const player = (row) => `${row.dataset.agent}${row.dataset.trial > 0 ? `, trial ${row.dataset.trial}` : ""}`;
const ended = { succeeded: "✓", failed: "✗" };

// The step at which it opens: the last one if it failed, else the first.
const opening = (row, steps) => (row.dataset.outcome === "failed" ? steps - 1 : 0);

// What the table says of an episode in the column of that name.
const celled = (row, name) => {
  const names = [...document.querySelectorAll("#episodes thead th")].map((cell) => cell.textContent.trim());
  return row.cells[names.indexOf(name)];
};
const figure = (row, name) => celled(row, name).textContent.trim().replace(/\s+/g, " ");

const verdict = (row) => {
  const chip = celled(row, "success").querySelector(".chip");
  const word = { succeeded: "✓ success", failed: "✗ no success" }[row.dataset.outcome] ?? chip.textContent;
  const told = [make("span", chip.className, word), make("span", "chip", figure(row, "ended"))];
  for (const name of ["progress", "reward", "strict", "cost"]) {
    if (figure(row, name) !== "–") told.push(make("span", "chip", `${name === "strict" ? "strict reward" : name} ${figure(row, name)}`));
  }
  return told;
};

// The checks with what was found and wanted side by side; earlier records do not say what was wanted.
const checked = ([name, held, ...sides]) => make("tr", held ? "held" : "broken",
  make("th", "", make("strong", "", held ? "✓ " : "✗ ", name), make("span", "quiet", held ? " held" : " failed")),
  ...sides.map((each) => make("td", "evidence", each)));

const checks = (view) => {
  const all = view.checks ?? [], sides = all.some((each) => each[3]) ? 2 : 1;
  const drawn = table("checks", ["check", "found", "wanted"].slice(0, 1 + sides), []);
  drawn.tBodies[0].append(...all.map((each) => checked(each.slice(0, 2 + sides))));
  fill("checks", drawn);
  const other = view.collateral ?? [];
  fill("collateral", ...(other.length ? [make("p", "tag", "changes nobody asked for"), make("p", "error", other.join(", "))] : []));
  const steps = view.progress ?? [];
  fill("progress", ...(steps.length ? [make("p", "tag", "progress by step"), table("progress", ["step", "progress"], steps.map(([name, value]) => [name, value.toFixed(2)]))] : []));
  at("checks-card").hidden = !(view.checks ?? []).length;
};

// A name that may break after its slashes.
const slashed = (name) => make("span", "", ...name.split(/(?<=\/)/).flatMap((each) => [each, make("wbr")]));

const spent = (view) => {
  pairs("facts", view.facts ?? []);
  const known = (value, digits = 0) => (value === null ? "unknown" : value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits }));
  const purposes = (view.purposes ?? []).map(([name, calls, sent, received, seconds, dollars]) => [slashed(name), known(calls), known(sent), known(received), known(seconds, 2), dollars === null ? "unknown" : `$${known(dollars, dollars ? 4 : 2)}`]);
  fill("purposes", ...(purposes.length ? [table("purposes", ["purpose", "calls", "prompt", "completion", "seconds", "cost"], purposes)] : []));
  at("facts-card").hidden = !view.facts;
};

// A changed row of the world: a line for each column, with table and row before the first.
const changed = (each) => each.cells.map(([column, before, after], index) => {
  const side = (value, kind) => (value === null ? make("td", "quiet", "–") : make("td", kind, value || make("span", "quiet", "(empty)")));
  const line = make("tr", index ? "" : "begin", make("td", "", column), side(before, "before"), side(after, "after"));
  const heads = [make("th", "", each.table), make("td", "", each.row), make("td", "", make("span", `chip ${each.kind}`, each.kind))];
  for (const head of heads) head.rowSpan = each.cells.length;
  if (!index) line.prepend(...heads);
  return line;
});

const difference = (view) => {
  const head = make("tr", "", ...["table", "row", "kind", "column", "before", "after"].map((each) => headed("changes", each)));
  const drawn = make("table", "changes", make("thead", "", head), make("tbody", "", ...view.changes.flatMap(changed)));
  const scroll = make("div", "scroll", view.changes.length ? drawn : make("p", "", "Nothing: every row is as it was."));
  const same = view.same.length ? make("p", "quiet", `Tables without a change: ${view.same.join(", ")}.`) : null;
  return [scroll, view.more ? make("p", "cut", `and ${count(view.more, "changed row")} more; all rows are in final_world.json`) : null, same];
};

const remains = (view) => {
  const left = view.world.map((each) => make("div", "scroll", each.rows.length ? table(`table ${each.name}`, each.columns, each.rows, each.name) : make("p", "quiet", `${each.name}: no rows`),
    each.more ? make("p", "cut", `and ${count(each.more, "row")} more in final_world.json`) : ""));
  return view.unknown ? [make("p", "cut", `Not compared with the start: ${view.unknown}.`), ...left] : left;
};

const world = (view) => {
  at("world-title").textContent = view.changes ? "What the visit changed" : "What the visit left";
  fill("world", ...(view.changes ? difference(view) : remains(view)));
  at("world-card").hidden = !view.changes && !view.world.length;
  at("command").textContent = view.command ?? "";
  at("command-card").hidden = !view.command;
  at("copy").textContent = "Copy";
  pairs("hashes", view.hashes ?? []);
};

// The command is selected as well, for a browser that lets no page copy.
const copy = async () => {
  getSelection().selectAllChildren(at("command"));
  const copied = await navigator.clipboard?.writeText(at("command").textContent).then(() => true, () => false);
  at("copy").textContent = copied ? "Copied" : "Selected, press Ctrl+C";
};

const neighbours = (row) => {
  const list = visible(), place = list.indexOf(row);
  at("place").textContent = place < 0 ? "" : `${place + 1} of ${list.length}`;
  for (const [id, other] of [["former", list[place - 1]], ["later", list[place + 1]]]) {
    at(id).hidden = place < 0 || !other;
    if (other) at(id).href = `#${other.dataset.key}`;
  }
};

const linked = (text, address) => {
  const link = make("a", "", text);
  link.href = address;
  return link;
};

const others = (row) => {
  const links = kin(row).map((each) => linked(`${ended[each.dataset.outcome] ?? "–"} ${player(each)}`, `#${row.dataset.key}&${each.dataset.key}`));
  fill("others", ...(row.dataset.family && links.length ? [make("span", "quiet", "Side by side with"), ...links] : []));
};

const show = (row, first) => {
  const view = viewed(row);
  shown = { key: row.dataset.key, view, row };
  at("agent").textContent = player(row);
  at("scenario").replaceChildren(slashed(row.dataset.scenario));
  at("pictured").hidden = !view.pictures;
  fill("verdict", ...verdict(row));
  fill("instruction", ...(view.instruction ? [view.instruction] : []));
  fill("faults", ...view.faults.map((each) => make("li", "", each)));
  fill("trouble", ...(view.error ? [view.error] : []));
  fill("answer", ...(view.answer ? [make("span", "tag", "answer"), " ", view.answer] : []));
  checks(view);
  const parts = view.parts?.rows ?? [];
  fill("parts", ...(parts.length ? [table("reward", view.parts.columns, parts)] : []));
  at("parts-card").hidden = !parts.length;
  spent(view);
  world(view);
  at("slider").max = Math.max(0, view.frames.length - 1);
  at("steps-section").hidden = !view.frames.length;
  at("steps").replaceChildren(...view.frames.map((each, index) => {
    const button = make("button", "", make("span", "label", named(each)), ...marks(each), ...turning(each, view.curve));
    button.type = "button";
    button.addEventListener("click", () => step(index, true));
    return make("li", "", button);
  }));
  neighbours(row);
  others(row);
  filmed(view);
  at("last").hidden = row.dataset.outcome !== "failed" || !view.frames.length;
  step(first ?? opening(row, view.frames.length), false);
  document.title = `${row.dataset.agent} on ${row.dataset.scenario} · ${title}`;
};
