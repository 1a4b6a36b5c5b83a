// Pictures of the steps, taken by a replay of the episode; the targets of an action are marked on them.
const WIDTH = 1280, HEIGHT = 720;
const shape = (tag, attributes, ...inside) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...inside);
  return node;
};

// Each look at the page has a picture, or none where a dialog was open; it then shows the one before.
const pictured = (view, index) => {
  if (!view.pictures) return;
  const sources = data(`pictures-${index}`);
  let last = null;
  view.pictures.steps.forEach(([number, marks], step) => {
    if (number !== null) last = sources[number];
    if (view.frames[step] && last) view.frames[step].picture = { source: last, marks, behind: number === null };
  });
};

const marked = ([[x, y, width, height], place]) => {
  const box = { x: x - 5, y: y - 5, width: width + 10, height: height + 10, rx: 6 };
  const parts = [shape("rect", { ...box, class: "halo" }), shape("rect", { ...box, class: "outline" })];
  if (place.length) parts.push(shape("circle", { cx: place[0], cy: place[1], r: 7, class: "mouse" }));
  return parts;
};

const photo = (each, label) => {
  const image = make("img");
  Object.assign(image, { src: each.picture.source, width: WIDTH, height: HEIGHT, alt: label, decoding: "async" });
  const over = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" }, ...each.picture.marks.flatMap(marked));
  return make("span", "photo", image, over);
};

const behind = (each) => (each.picture.behind ? make("figcaption", "", "A dialog was open, or the page hung: this is the page before that.") : "");
const told = (each) => [each.action || named(each), each.target].filter(Boolean).join(" → ");

// The picture with the action below it, and the words beside them.
const framed = (box, each, index) => {
  const parts = [...box.children].filter((one) => !one.matches("h4, .address"));
  const action = parts.find((one) => one.matches(".action"));
  const button = make("button", "zoom", photo(each, `The page at step ${index + 1}`));
  button.type = "button";
  button.title = "Enlarge (z)";
  button.addEventListener("click", () => enlarge());
  box.append(make("div", "side", make("figure", "picture", button, behind(each)), action ?? ""), make("div", "words", ...parts.filter((one) => one !== action)));
  box.classList.add("framed");
  return box;
};

const enlarge = () => {
  if (!shown?.view.frames[frame]?.picture) return;
  if (at("large").open) return at("large").close();
  filled();
  at("large").showModal();
};
const filled = () => {
  const each = shown.view.frames[frame];
  if (!each.picture) return at("large").close();
  const caption = make("figcaption", "", `${frame + 1}. ${told(each)}`);
  at("large").replaceChildren(make("figure", "picture", photo(each, `The page at step ${frame + 1}`), behind(each), caption));
};

// The filmstrip; the list of steps says the same to the keyboard and to readers of screens.
const filmed = (view) => {
  at("picture-note").hidden = !view.pictures?.note;
  at("picture-note").textContent = view.pictures?.note ? `These pictures are of a replay: ${view.pictures.note}.` : "";
  at("enlarge-key").hidden = !view.pictures;
  at("strip").hidden = !view.pictures;
  at("strip").replaceChildren(...(view.pictures ? view.frames.map((each, index) => {
    const button = make("button", each.error ? "erred" : "", each.picture ? photo(each, "") : make("span", "photo"), make("span", "number", String(index + 1)));
    button.type = "button";
    button.tabIndex = -1;
    button.title = `${index + 1}. ${named(each)}`;
    button.addEventListener("click", () => step(index, true));
    return button;
  }) : []));
};
const turnedTo = (index) => {
  if (at("large").open) filled();
  const strip = at("strip"), item = strip.children[index];
  [...strip.children].forEach((each) => each.classList.toggle("here", each === item));
  if (item) strip.scrollLeft = item.offsetLeft - (strip.clientWidth - item.offsetWidth) / 2;
};
at("large").addEventListener("click", () => at("large").close());
