// Runs before the walker, in its isolated world, on foreign pages only: these leave out roles and
// names that ours have. A role is guessed from the class of what listens, the name of a field from
// the words beside it, and that of what shows no text from its id and class, of a shape also from
// its measures.
globalThis.rehearsalGuesses = (walker) => {
  "use strict";
  const { attribute, boxOf, clickable } = walker;
  const FIELDS = new Set(["input", "select", "textarea"]);
  const CHOICES = new Set(["checkbox", "radio"]);
  const BLOCKS = new Set(["div", "p", "li", "td", "th", "tr", "table", "ul", "form", "fieldset", "br"]);
  const SHAPES = new Set(["rect", "circle", "ellipse", "polygon", "path", "line", "polyline", "text"]);
  /** Classes that say how something looks, or in which library it was made, not what it is. */
  const LOOKS = /^(ui-.*|jstree-.*|hide|hidden|clear|bold|icon)$/;
  const ENDS = new Set(["script", "style", "svg", "button", "a"]);
  const LONGEST = 40;

  const fold = (text) => text.replace(/\s+/g, " ").trim();
  const classes = (element) => fold(attribute(element, "class") || "").split(" ");
  const words = (element) => {
    const own = classes(element).filter((word) => word && !LOOKS.test(word));
    const id = attribute(element, "id") || "";
    const all = LOOKS.test(id) ? own : [id, ...own];
    return [...new Set(all.filter((word) => word))].join(" ");
  };

  /** What the inputs that a page declares are for, where nothing tells that it can be used. */
  const DRAWN = new Set(["svg", "canvas"]);
  const declared = () => attribute(document.documentElement, "data-inputs") || "";
  const place = ({ localName, parentNode }) => {
    if (DRAWN.has(localName) && parentNode.localName !== "svg") return /_at|draw/.test(declared());
    return localName === "p" && /mark_text/.test(declared());
  };

  const role = (element) => {
    const { localName } = element;
    if (place(element)) return localName === "p" ? "document" : "application";
    if (classes(element).some((word) => /slider-handle/.test(word))) return "slider";
    if (FIELDS.has(localName) || SHAPES.has(localName) || !clickable(element)) {
      return localName === "a" && attribute(element, "href") === null && fold(element.textContent)
        && attribute(element, "class") !== null ? "link" : "";
    }
    if (localName === "a" || classes(element).some((word) => /link/.test(word))) return "link";
    if (element.querySelector("input, select, textarea, button, a")) return "";
    const empty = !element.childElementCount && !fold(element.textContent);
    return empty || /\b(btn|button)\b/.test(words(element)) ? "button" : "";
  };

  const name = (element) => {
    const { localName } = element;
    if (FIELDS.has(localName)) {
      return (attribute(element, "id") || attribute(element, "name") || "").replace(/[-_]/g, " ");
    }
    const said = words(element) || (DRAWN.has(localName) ? "picture" : "");
    return SHAPES.has(localName) ? fold(`${said} ${localName}`) : said.replace(/[-_]/g, " ");
  };

  /** The name of a shape that can be used, with its measures in pixels. */
  const measured = (element, said) => {
    if (!SHAPES.has(element.localName)) return said;
    const { width, height } = boxOf(element);
    return `${said} ${Math.round(width)}x${Math.round(height)}`;
  };

  /** The words beside an unlabelled field: before it, else after it, of a choice the other way
   * round. */
  const fieldName = (field) => {
    const { localName, type } = field;
    if (!FIELDS.has(localName) || attribute(field, "title") || attribute(field, "placeholder")) return "";
    if (["button", "submit", "reset", "image"].includes(type)) return "";
    const sides = ["previousSibling", "nextSibling"];
    if (CHOICES.has(type)) sides.reverse();
    const said = fold(beside(field, sides[0])) || fold(beside(field, sides[1]));
    return said.length > LONGEST ? "" : said.replace(/\s*:$/, "");
  };

  /** The text from a field up to the next field, block or instruction in a direction. */
  const beside = (field, direction) => {
    let text = "";
    for (let at = field; at; at = at.parentNode) {
      for (let node = at[direction]; node; node = node[direction]) {
        const { nodeType } = node;
        if (nodeType !== Node.TEXT_NODE && nodeType !== Node.ELEMENT_NODE) continue;
        const block = nodeType === Node.ELEMENT_NODE && BLOCKS.has(node.localName);
        if (block && node.querySelector([...BLOCKS].join(", "))) return text;
        if (isEnd(node) || (block && fold(text))) return text;
        text = direction === "nextSibling" ? text + node.textContent : node.textContent + text;
        if (block && fold(text)) return text;
      }
      if (fold(text) || at.localName === "form") return text;
    }
    return text;
  };

  const isEnd = (node) => node.nodeType === Node.ELEMENT_NODE
    && (FIELDS.has(node.localName) || ENDS.has(node.localName) || clickable(node)
      || attribute(node, "role") === "note" || node.querySelector("input, select, textarea, button, a") !== null);

  return { foreign: true, role, name, measured, fieldName };
};
