// Texts of pages and models: they are only ever set as text.
const OPEN = "<<<observation", CLOSE = "observation>>>";
const at = (id) => document.getElementById(id);
const data = (id) => JSON.parse(at(id).textContent);
const title = document.title;
let store;

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
    const joined = lines.join("\n");
    lines = [];
    if (joined.trim()) box.append(kind ? make("div", "seen", make("p", "tag", "observation"), pre(joined, "observation")) : pre(joined, label));
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

// A header of a table, with the sentence that explains it.
const headed = (kind, name) => {
  const cell = make("th", "", name);
  cell.scope = "col";
  cell.title = data("heads")[kind]?.[name] ?? `The column ${name} of the site's ${kind}.`;
  return cell;
};

const table = (kind, columns, rows, caption) => {
  const head = make("tr", "", ...columns.map((each) => headed(kind, each)));
  const body = rows.map((row) => make("tr", "", ...row.map((each, index) => make(index ? "td" : "th", "", each))));
  const node = make("table", "small", make("thead", "", head), make("tbody", "", ...body));
  if (caption) node.prepend(make("caption", "", caption));
  return node;
};

const pairs = (id, rows) => fill(id, ...rows.map(([name, value]) => make("div", "", make("dt", "", name), make("dd", "", value))));
