// The table of episodes: what it is filtered and sorted by.
const filters = { player: "agent", family: "family", outcome: "outcome", ending: "ended" };
let searchable;

// Where words are looked for: the row, and the instruction, answer and error of the episode.
const haystack = (row) => {
  searchable ??= new Map(rows().map((each) => [each, `${each.textContent} ${data("searched")[each.dataset.index]}`.toLowerCase()]));
  return searchable.get(row);
};

const sift = () => {
  const wanted = at("words").value.toLowerCase().split(/\s+/).filter(Boolean);
  const set = Object.entries(filters).filter(([id]) => at(id)?.value);
  const all = rows();
  for (const row of all) {
    row.hidden = !set.every(([id, name]) => row.dataset[name] === at(id).value) || !wanted.every((word) => haystack(row).includes(word));
  }
  const fit = all.filter((row) => !row.hidden), pair = telling(fit);
  at("count").textContent = fit.length === all.length ? count(all.length, "episode") : `${fit.length} of ${count(all.length, "episode")}`;
  at("none").hidden = fit.length > 0;
  at("clear").hidden = !set.length && !wanted.length;
  at("beside-open").hidden = !pair;
  if (pair) at("beside-open").href = `#${pair[0].dataset.key}&${pair[1].dataset.key}`;
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
