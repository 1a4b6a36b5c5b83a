// Two episodes of one scenario next to each other, step by step.

// An action by the name of what it is done to: by its id and by its name it is the same deed.
const deed = (each) => {
  const name = /^\S+ (["'])(.*)\1$/s.exec(each.target)?.[2];
  return name === undefined ? each.action : each.action.replace(/\[(?:\\.|[^\]])*\]/s, () => `[${name}]`);
};

const alike = (one, other) => Boolean(one && other) && deed(one) === deed(other) && one.error === other.error && (one.action !== "" || named(one) === named(other));

const part = (row, curve, each, index) => {
  const cell = make("td", "");
  cell.setAttribute("role", "cell");
  cell.dataset.label = player(row);
  if (!each) return cell.append(make("span", "quiet", "has ended")), cell;
  const link = linked("", `#${row.dataset.key}?step=${index + 1}`);
  link.append(make("code", "", named(each)));
  link.title = `Open step ${index + 1} of ${player(row)}`;
  cell.append(link, each.target ? make("span", "target", ` → ${each.target}`) : "", make("p", "quiet page", each.title));
  const chips = [...marks(each), ...turning(each, curve)];
  if (chips.length) cell.append(make("p", "chips", ...chips));
  if (each.error) cell.append(make("p", "error", each.error));
  const replies = each.happened.filter((one) => one.kind === "call").flatMap((one) => one.reply);
  if (replies.length) cell.append(folded("said", count(replies.length, "reply").replace("replys", "replies"), false, () => make("div", "", ...replies.map((one) => long(one, "reply")))));
  return cell;
};

const aligned = (sides, index, first) => {
  const number = make("th", "", `${index + 1}`);
  number.setAttribute("role", "rowheader");
  const row = make("tr", first < 0 || index < first ? "same" : "", number, ...sides.map(([row, view]) => part(row, view.curve, view.frames[index], index)));
  row.setAttribute("role", "row");
  if (index !== first) return [row];
  const cell = make("td", "", `Step ${index + 1}: the first difference`);
  cell.colSpan = 3;
  cell.setAttribute("role", "cell");
  const mark = make("tr", "first", cell);
  mark.setAttribute("role", "row");
  mark.id = "first-difference";
  mark.tabIndex = -1;
  return [mark, row];
};

const summed = ([row, view]) => {
  const broken = (view.checks ?? []).filter(([, held]) => !held).map(([name]) => name);
  return make("div", "card", make("h3", "", linked(player(row), `#${row.dataset.key}`)),
    make("p", "chips", ...verdict(row), make("span", "chip", `steps ${figure(row, "steps")}`)),
    broken.length ? make("p", "quiet", `failed: ${broken.join(", ")}`) : "",
    view.answer ? make("p", "answer", make("span", "tag", "answer"), " ", view.answer) : "");
};

const choices = (id, options, chosen) => {
  at(id).replaceChildren(...options.map(([value, label]) => new Option(label, value, false, value === chosen)));
};

const beside = (one, other) => {
  const sides = [one, other].map((row) => [row, viewed(row)]);
  const [left, right] = sides.map(([, view]) => view.frames);
  const steps = Math.max(left.length, right.length);
  const first = Array.from({ length: steps }, (_, index) => alike(left[index], right[index])).indexOf(false);
  const all = [one, ...kin(one)].sort((a, b) => a.dataset.index - b.dataset.index);
  const scenarios = new Map(rows().filter((row) => kin(row).length).map((row) => [row.dataset.scenario, row]));
  choices("pair-scenario", [...scenarios.keys()].map((each) => [each, each]), one.dataset.scenario);
  const names = all.map((row) => [row.dataset.key, `${player(row)} ${ended[row.dataset.outcome] ?? "–"}`]);
  choices("pair-a", names, one.dataset.key);
  choices("pair-b", names, other.dataset.key);
  fill("pair-instruction", ...(sides[0][1].instruction ? [sides[0][1].instruction] : []));
  fill("pair-heads", ...sides.map(summed));
  at("pair-first").hidden = first < 0;
  at("pair-first").textContent = `First difference: step ${first + 1}`;
  at("pair-same").hidden = first >= 0;
  at("pair-names").replaceChildren(columned("step", data("heads").beside.step), ...[one, other].map(player).map((each) => columned(each, `The steps of ${each}.`)));
  at("pair-steps").replaceChildren(...Array.from({ length: steps }, (_, index) => aligned(sides, index, first)).flat());
  document.title = `${player(one)} and ${player(other)} on ${one.dataset.scenario} · ${title}`;
};

const columned = (name, about) => {
  const cell = make("th", "", name);
  cell.title = about;
  cell.setAttribute("role", "columnheader");
  cell.scope = "col";
  return cell;
};

// The two that are worth a look: of one scenario, one of which succeeded where that can be.
const telling = (list) => {
  const outcome = (row) => row.dataset.outcome;
  const scored = list.filter((row) => outcome(row) in ended);
  const groups = new Map();
  for (const row of scored) groups.set(row.dataset.scenario, [...(groups.get(row.dataset.scenario) ?? []), row]);
  const several = [...groups.values()].filter((group) => group.length > 1);
  const parted = several.find((group) => group.some((row) => outcome(row) !== outcome(group[0])));
  if (parted) return [parted.find((row) => outcome(row) === "succeeded"), parted.find((row) => outcome(row) === "failed")];
  return several[0]?.slice(0, 2);
};

// What was chosen: another scenario brings a pair of its own.
const chosen = (event) => {
  const scenario = at("pair-scenario").value;
  const two = event.target === at("pair-scenario")
    ? telling(rows().filter((row) => row.dataset.scenario === scenario)) ?? rows().filter((row) => row.dataset.scenario === scenario).slice(0, 2)
    : [find(at("pair-a").value), find(at("pair-b").value)];
  history.replaceState(null, "", `#${two[0].dataset.key}&${two[1].dataset.key}`);
  beside(...two);
};
