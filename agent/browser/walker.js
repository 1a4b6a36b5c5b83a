// Runs in an isolated world of every document: it shares the page's DOM and none of its
// JavaScript, so that no page can change what is read here. Elements that a page can shadow by
// names (a form with a field called "parentNode") are read through the interfaces' own getters.
// `rehearsal.read` returns the observation as one JSON string, `rehearsal.aim` a place to click.
(() => {
  "use strict";
  if (Object.hasOwn(globalThis, "rehearsal")) return;

  // The DOM, out of the page's reach -----------------------------------------------------------

  const getter = (type, name) => {
    const { get } = Object.getOwnPropertyDescriptor(type.prototype, name);
    return (object) => get.call(object);
  };
  const asked = (type, name) => {
    const call = type.prototype[name];
    return (object) => call.call(object);
  };
  const method = (type, name) => {
    const call = type.prototype[name];
    return (object, ...args) => call.apply(object, args);
  };
  const nodeType = getter(Node, "nodeType");
  const firstChild = getter(Node, "firstChild");
  const nextSibling = getter(Node, "nextSibling");
  const parentNode = getter(Node, "parentNode");
  const isConnected = getter(Node, "isConnected");
  const contains = method(Node, "contains");
  const compared = method(Node, "compareDocumentPosition");
  const documentOf = getter(Node, "ownerDocument");
  const rootOf = method(Node, "getRootNode");
  const data = getter(CharacterData, "data");
  const nameOfTag = getter(Element, "localName");
  const textIn = getter(Node, "textContent");
  const shadowOf = getter(Element, "shadowRoot");
  const firstElement = getter(Element, "firstElementChild");
  const getAttribute = Element.prototype.getAttribute;
  const attribute = (element, name) => getAttribute.call(element, name);
  const namespaceOf = getter(Element, "namespaceURI");
  const offsetWidth = getter(HTMLElement, "offsetWidth");
  const offsetHeight = getter(HTMLElement, "offsetHeight");
  const hasAttributes = asked(Element, "hasAttributes");
  const matches = method(Element, "matches");
  const boxOf = asked(Element, "getBoundingClientRect");
  const boxesOf = asked(Element, "getClientRects");
  const scrollTo = method(Element, "scrollIntoView");
  const scrollTop = getter(Element, "scrollTop");
  const scrollIn = method(Element, "scrollBy");
  const scrollHeight = getter(Element, "scrollHeight");
  const scrollerOf = getter(Document, "scrollingElement");
  const { checkVisibility } = Element.prototype;
  const rendered = (element) => checkVisibility.call(element);
  const attributesOf = getter(Element, "attributes");
  const clientWidth = getter(Element, "clientWidth");
  const clientHeight = getter(Element, "clientHeight");
  const activeIn = { 9: getter(Document, "activeElement"), 11: getter(ShadowRoot, "activeElement") };
  const topmostIn = {
    9: method(Document, "elementFromPoint"), 11: method(ShadowRoot, "elementFromPoint"),
  };
  const allIn = {
    9: method(Document, "querySelectorAll"), 11: method(DocumentFragment, "querySelectorAll"),
  };
  const rootElement = getter(Document, "documentElement");
  const bodyOf = getter(Document, "body");
  const windowOf = getter(Document, "defaultView");
  const titleOf = getter(Document, "title");
  const readyState = getter(Document, "readyState");
  const assigned = method(HTMLSlotElement, "assignedNodes");
  const HTML = "http://www.w3.org/1999/xhtml";
  const ELEMENT = 1, TEXT = 3, DOCUMENT = 9, FRAGMENT = 11;
  const FOLLOWING = 4;
  const LETTERS = /[\p{L}\p{N}]/u;

  const fold = (text) => text.replace(/\s+/g, " ").trim();

  /** The document in a frame, or null where it is of another origin. */
  const inside = (frame) => {
    try {
      return frame.contentDocument;
    } catch {
      return null;
    }
  };
  const isFrame = (tag) => tag === "iframe" || tag === "frame";

  /** The parent in the tree that is drawn: out of shadow roots, not out of documents. */
  const parentOf = (node) => {
    const parent = parentNode(node);
    return parent && nodeType(parent) === FRAGMENT && parent.host ? parent.host : parent;
  };

  // What counts as interactive ------------------------------------------------------------------

  const INPUT_ROLES = {
    __proto__: null, button: "button", submit: "button", reset: "button", image: "button",
    file: "button", color: "button", checkbox: "checkbox", radio: "radio", range: "slider",
    number: "spinbutton", search: "searchbox",
  };
  const NATIVE = new Set(["button", "input", "select", "summary", "textarea"]);
  const INTERACTIVE = new Set(["button", "checkbox", "combobox", "gridcell", "link", "listbox",
    "menuitem", "menuitemcheckbox", "menuitemradio", "option", "radio", "scrollbar", "searchbox",
    "slider", "spinbutton", "switch", "tab", "textbox", "treeitem"]);
  const TEXT_ROLES = {
    __proto__: null, h1: "heading", h2: "heading", h3: "heading", h4: "heading", h5: "heading",
    h6: "heading", td: "cell", th: "columnheader", li: "listitem", dt: "term", dd: "definition",
    caption: "caption", figcaption: "caption", legend: "legend", label: "label",
    blockquote: "blockquote",
  };
  const SPOKEN_ROLES = new Set(["heading", "cell", "columnheader", "rowheader", "listitem", "term",
    "definition", "caption", "blockquote", "alert", "status", "note", "tooltip", "log", "timer"]);
  const SHAPES = new Set(["circle", "ellipse", "g", "image", "line", "path", "polygon",
    "polyline", "rect", "text", "tspan", "use", "svg"]);
  const CLOSED = new Set(["script", "style", "noscript", "template", "head", "select", "textarea",
    "datalist", "option", "canvas", "video", "audio", "object", "embed", "meter", "progress",
    "defs", "symbol", "clipPath", "mask", "marker", "pattern", "metadata", "desc", "title",
    "math"]);
  const PICTURES = new Set(["img", "canvas", "svg"]);
  const CHOICES = new Set(["checkbox", "radio", "file"]);
  const SPECIAL = new Set([...CLOSED, ...PICTURES, "iframe", "frame"]);
  const VISITED = ".visited, .card.visited a";
  const HANDLERS = ["onclick", "onmousedown", "onmouseup", "onpointerdown", "ondblclick"];

  const FIELDS = new Set(["input", "select", "textarea", "button"]);

  const listeners = new WeakSet();

  /** Learn from a window's hook which elements have got listeners since the last time. */
  const ask = (view) => {
    const learn = (event) => {
      listeners.add(event.composedPath()[0]);
      event.stopImmediatePropagation();
    };
    view.addEventListener("rehearsal:answer", learn, true);
    view.dispatchEvent(new Event("rehearsal:ask"));
    view.removeEventListener("rehearsal:answer", learn, true);
  };

  const spokenRole = (element) => {
    const role = attribute(element, "role");
    return role === null ? "" : fold(role).toLowerCase().split(" ")[0];
  };

  const nativeRole = (element, tag) => {
    switch (tag) {
      case "a":
        return attribute(element, "href") === null ? "" : "link";
      case "button": return "button";
      case "textarea": return "textbox";
      case "select": return element.multiple || element.size > 1 ? "listbox" : "combobox";
      case "summary": return "button";
      case "input":
        if (element.type === "hidden") return "";
        return INPUT_ROLES[element.type] || (attribute(element, "list") ? "combobox" : "textbox");
    }
    const editable = attribute(element, "contenteditable");
    return editable !== null && editable !== "false" ? "textbox" : "";
  };

  /** Why an element without an interactive role can be used all the same: "" when it cannot. */
  const weakReason = (element, tag, place) => {
    if (tag === "html" || tag === "body" || tag === "label") return "";
    if (!place.bare) {
      if (parseInt(attribute(element, "tabindex"), 10) >= 0) return "tabindex";
      if (attribute(element, "draggable") === "true") return "draggable";
    }
    if (place.cursor === "pointer" && place.outer.cursor !== "pointer") return "cursor";
    if (listeners.has(element)) return "listener";
    return !place.bare && HANDLERS.some((name) => attribute(element, name) !== null)
      ? "listener" : "";
  };

  // Roles and names that a foreign page leaves out; our own leave out none (`guesses.js`) ---------

  const guess = globalThis.rehearsalGuesses
    ? globalThis.rehearsalGuesses({ attribute, boxOf, clickable: (element) => listeners.has(element) })
    : {
      foreign: false, role: () => "", name: () => "", fieldName: () => "",
      measured: (_, name) => name,
    };

  // Names: the parts of the ARIA name computation that pages of this kind use -------------------

  const NAMELESS_CONTENT = new Set(["textbox", "searchbox", "combobox", "listbox", "slider",
    "spinbutton", "scrollbar"]);

  /** The text of a subtree as a name counts it, without the element `skip`. */
  const contentOf = (node, skip) => {
    let text = "";
    for (let child = firstChild(shadowOr(node)); child; child = nextSibling(child)) {
      text += partOf(child, skip);
    }
    return text;
  };

  /** A walk ends this many levels below where it began: the stack of calls has an end, too. */
  const DEEPEST = 400;
  let below = 0;

  const shadowOr = (node) => (nodeType(node) === ELEMENT && shadowOf(node)) || node;

  const partOf = (node, skip) => {
    if (nodeType(node) === TEXT) return data(node);
    if (nodeType(node) !== ELEMENT || node === skip) return "";
    const tag = nameOfTag(node);
    if (tag === "br") return " ";
    if (tag === "script" || tag === "style" || tag === "template") return "";
    const display = getComputedStyle(node).display;
    if (display === "none" || attribute(node, "aria-hidden") === "true") return "";
    const gap = display === "inline" ? "" : " ";
    if (below >= DEEPEST) return gap;
    below += 1;
    const part = spokenPart(node, tag, skip);
    below -= 1;
    return gap + part + gap;
  };

  const spokenPart = (node, tag, skip) => {
    const label = attribute(node, "aria-label");
    if (label !== null && label.trim()) return label;
    if (tag === "img") return attribute(node, "alt") || "";
    if (tag === "svg") return svgTitle(node);
    if (tag === "input" || tag === "select" || tag === "textarea") {
      return skip ? "" : valueOf(node, tag, nativeRole(node, tag)) || "";
    }
    if (tag === "slot") {
      const nodes = assigned(node);
      if (nodes.length) return nodes.map((child) => partOf(child, skip)).join("");
    }
    return contentOf(node, skip);
  };

  const svgTitle = (element) => {
    for (let child = firstElement(element); child; child = child.nextElementSibling) {
      if (nameOfTag(child) === "title") return fold(contentOf(child));
    }
    return "";
  };

  const NONE = [];

  /** The elements whose ids an attribute lists. */
  const listed = (element, name) => {
    const ids = attribute(element, name);
    if (!ids) return NONE;
    const root = rootOf(element);
    const find = nodeType(root) === DOCUMENT
      ? Document.prototype.getElementById : DocumentFragment.prototype.getElementById;
    return fold(ids).split(" ").map((id) => find.call(root, id)).filter((node) => node);
  };

  const referenced = (element, name) => fold(listed(element, name)
    .map((node) => spokenPart(node, nameOfTag(node), element)).join(" "));

  const LABELLED = new Set(["input", "select", "textarea", "meter", "progress"]);

  /** The labels of every control, by tree, while a walk lasts; `labels` searches the whole tree
   * for each control. */
  let labelIndex = null;

  const indexed = (root) => {
    let index = labelIndex.get(root);
    if (!index) {
      index = new Map();
      const find = nodeType(root) === DOCUMENT ? allIn[DOCUMENT] : allIn[FRAGMENT];
      for (const label of find(root, "label")) {
        const { control } = label;
        if (control) index.set(control, [...(index.get(control) || NONE), label]);
      }
      labelIndex.set(root, index);
    }
    return index;
  };

  const labelsOf = (element, tag) => {
    if (!LABELLED.has(tag)) return NONE;
    if (labelIndex && isConnected(element)) return indexed(rootOf(element)).get(element) || NONE;
    return Array.from(element.labels || NONE);
  };

  const spokenName = (element) => {
    if (!hasAttributes(element)) return "";
    const label = attribute(element, "aria-label");
    return referenced(element, "aria-labelledby") || (label === null ? "" : fold(label));
  };

  const nativeName = (element, tag) => {
    if (tag === "input") {
      const type = element.type;
      if (type === "submit" || type === "reset" || type === "button") {
        const usual = type === "submit" ? "Submit" : type === "reset" ? "Reset" : "";
        return attribute(element, "value") === null ? usual : fold(element.value);
      }
      if (type === "image") return fold(attribute(element, "alt") || "");
    }
    const labels = labelsOf(element, tag);
    if (!labels.length) return guess.fieldName(element);
    return labels.map((label) => fold(contentOf(label, element))).filter((one) => one).join(" ");
  };

  const nameOf = (element, tag, role) => {
    const spoken = spokenName(element) || nativeName(element, tag);
    if (spoken) return spoken;
    if (!NAMELESS_CONTENT.has(role) && tag !== "input") {
      const content = firstElement(element) || shadowOf(element)
        ? fold(SHAPES.has(tag) && svgTitle(element) || contentOf(element))
        : fold(textIn(element));
      if (content) return content;
    }
    return fold(attribute(element, "title") || attribute(element, "placeholder")
      || attribute(element, "aria-placeholder") || guess.name(element));
  };

  // Values and states ---------------------------------------------------------------------------

  const labelOfOption = (option) => fold(attribute(option, "label") || contentOf(option));

  const valueOf = (element, tag, role) => {
    if (tag === "select") {
      return Array.from(element.selectedOptions).map(labelOfOption).join(", ");
    }
    if (tag === "textarea") return element.value;
    if (tag === "input") {
      const type = element.type;
      if (type === "password") return "•".repeat(element.value.length);
      if (type === "file") return Array.from(element.files).map((file) => file.name).join(", ");
      return role === "button" || type === "checkbox" || type === "radio" ? null : element.value;
    }
    const now = attribute(element, "aria-valuetext") || attribute(element, "aria-valuenow");
    if (now !== null) return now;
    return NAMELESS_CONTENT.has(role) && role !== "listbox" ? fold(contentOf(element)) : null;
  };

  const ARIA_STATES = [
    ["aria-checked", "checked", ""], ["aria-disabled", "disabled", ""],
    ["aria-expanded", "expanded", "collapsed"], ["aria-invalid", "invalid", ""],
    ["aria-pressed", "pressed", ""], ["aria-readonly", "readonly", ""],
    ["aria-required", "required", ""], ["aria-selected", "selected", ""],
  ];

  const statesOf = (element, tag, focused) => {
    const states = [];
    if (FIELDS.has(tag) && matches(element, ":disabled")) states.push("disabled");
    if (FIELDS.has(tag) && tag !== "button") {
      if (element.checked) states.push("checked");
      if (element.readOnly) states.push("readonly");
      if (element.required) states.push("required");
    }
    if (hasAttributes(element)) {
      for (const [name, yes, no] of ARIA_STATES) {
        const value = attribute(element, name);
        if (value === null || value === "" || value === "undefined") continue;
        const state = value === "false" ? no : yes;
        if (state && !states.includes(state)) states.push(state);
      }
    }
    if (tag === "summary") states.push(parentNode(element).open ? "expanded" : "collapsed");
    if ((tag === "a" || tag === "button") && matches(element, VISITED)) states.push("visited");
    if (element === focused) states.push("focused");
    return states.length > 1 ? states.sort() : states;
  };

  const commits = (element, tag) => {
    if (attribute(element, "data-commits") !== null) return true;
    const submits = tag === "button" ? element.type === "submit"
      : tag === "input" && (element.type === "submit" || element.type === "image");
    return Boolean(submits && element.form && attribute(element.form, "data-commits") !== null);
  };

  const focusedIn = (scope) => {
    let element = null;
    for (let next = scope; next;) {
      const active = activeIn[nodeType(next)](next);
      if (!active) break;
      element = active;
      next = isFrame(nameOfTag(element)) ? inside(element) : shadowOf(element);
    }
    return element;
  };

  // The walk ------------------------------------------------------------------------------------

  /** What the content of an element has from it and from what it stands in. Styles are read
   * only when they are asked for: they are most of the cost of a walk. */
  class Place {
    constructor(outer, tag, style, flows, bare) {
      this.outer = outer;
      this.tag = tag;
      this.style = style;
      this.flows = flows;
      this.bare = bare;
      this.roomy = false;
      this.depth = outer ? outer.depth : 0;
      this.level = outer ? outer.level + 1 : 0;
      this.role = outer ? outer.role : "text";
      this.muted = outer !== null && outer.muted;
      this.current = outer !== null && outer.current;
      this.ownCursor = this.ownColor = this.ownBackground = undefined;
      this.ownVisibility = this.ownTint = undefined;
    }

    get cursor() {
      return (this.ownCursor ??= this.style.cursor);
    }

    get color() {
      return (this.ownColor ??= this.style.color);
    }

    get background() {
      return (this.ownBackground ??= this.style.backgroundColor);
    }

    get visible() {
      return (this.ownVisibility ??= this.style.visibility) === "visible";
    }

    /** The colours that differ from the parent's, as one string; inside a line of text the
     * colours that the line's element has. */
    get tint() {
      return (this.ownTint ??= this.difference() || (this.flows && this.outer ? this.outer.tint : ""));
    }

    difference() {
      const { outer, style } = this;
      if (!outer) return "";
      const { color, background } = this;
      let pairs = "";
      if (color !== outer.color) pairs += "\tcolor\t" + color;
      if (background !== CLEAR && background !== outer.background) {
        pairs += "\tbackground-color\t" + background;
      }
      if (SHAPES.has(this.tag) && this.tag !== "svg") {
        if (style.fill !== "none") pairs += "\tfill\t" + style.fill;
        if (style.stroke !== "none") pairs += "\tstroke\t" + style.stroke;
      }
      return pairs.slice(1);
    }
  }

  const CLEAR = "rgba(0, 0, 0, 0)";
  let shown = [];
  let roots = [];

  class Walk {
    constructor(viewport) {
      this.viewport = viewport;
      this.content = [];
      this.kinds = new Table();
      this.tints = new Table();
      this.labelled = new Set();
      this.emitted = new Set();
      this.run = null;
      this.line = null;
      this.focused = focusedIn(document);
      this.frames = [{ x: 0, y: 0 }];
      shown = [];
      roots = [];
    }

    document(page, level = 0) {
      ask(windowOf(page));
      roots.push(page);
      const body = bodyOf(page);
      if (body) {
        const root = new Place(null, "html", getComputedStyle(parentNode(body)), false, false);
        root.level = level;
        this.visit(body, root);
      }
      this.end();
    }

    children(node, place) {
      let first = true;
      for (let child = firstChild(node); child; child = nextSibling(child)) {
        const type = nodeType(child);
        if (type === TEXT) this.text(child, place);
        else if (type === ELEMENT) {
          // Where the first child is skipped by `content-visibility`, so are the others.
          if (first && skipped(child)) return;
          first = false;
          this.visit(child, place);
        }
      }
    }

    text(node, place, text = data(node)) {
      const { run } = this;
      if (place.muted) return;
      if (!/\S/.test(text)) {
        if (run) run.text += " ";
        if (this.line) this.line.text += " ";
        return;
      }
      if (!place.visible || (this.viewport && !this.inView(rangeBox(node)))) return;
      const { role, depth, tint, current } = place;
      if (run && run.role === role && run.depth === depth && run.tint === tint
          && run.current === current) {
        run.text += text;
        if (this.line) this.line.text += text;
        return;
      }
      this.flush();
      this.extendLine(text, place);
      this.run = { text, role, depth, tint, current };
    }

    flush() {
      const { run } = this;
      if (!run) return;
      this.run = null;
      this.say(run.role, fold(run.text), run.depth, run.tint, run.current);
    }

    say(role, text, depth, tint, current = false) {
      const entry = [this.kinds.index("\t" + role), text, depth, this.tints.index(tint)];
      if (current) entry.push(1);
      this.content.push(entry);
    }

    /** Keep what a line of a list item says, its texts and its links alike. */
    extendLine(text, place) {
      if (place.role !== "listitem") return;
      this.line ??= { at: this.content.length, text: "" };
      this.line.text += text;
    }

    /** The line is over. In a list item where links stand within a text, the whole text comes
     * first, in one piece; then the links. */
    end() {
      this.flush();
      const { line, content } = this;
      this.line = null;
      if (!line) return;
      const kind = this.kinds.index("\tlistitem"), part = content.slice(line.at);
      const texts = part.filter((entry) => entry[0] === kind);
      if (texts.length === part.length || !texts.some((entry) => LETTERS.test(entry[1]))) return;
      const [first] = texts;
      content.length = line.at;
      content.push([kind, fold(line.text), ...first.slice(2)]);
      for (const entry of part) if (entry[0] !== kind) content.push(entry);
    }

    visit(element, outer) {
      const tag = nameOfTag(element);
      if (tag === "br") {
        if (this.run) this.run.text += " ";
        if (this.line) this.line.text += " ";
        return;
      }
      if (this.emitted.size && this.emitted.has(element)) return;
      const bare = !hasAttributes(element);
      if (outer.level > DEEPEST) return;
      if (!bare && attribute(element, "aria-hidden") === "true") return;
      const style = getComputedStyle(element);
      const { display } = style;
      if (display === "none") return;
      const flows = display === "inline" || display === "contents";
      const place = new Place(outer, tag, style, flows, bare);
      if (!flows) {
        this.end();
        if (style.overflowX !== "visible") {
          if (clientWidth(element) === 0 || clientHeight(element) === 0) return;
          place.roomy = true;
        }
      }
      this.node(element, tag, place);
      if (!flows) this.end();
    }

    node(element, tag, place) {
      const plain = place.bare && !NATIVE.has(tag) && !guess.foreign;
      const role = plain ? "" : this.roleOf(element, tag);
      if (role) return this.strong(element, tag, role, place);
      const reason = weakReason(element, tag, place);
      if (reason && this.usable(element, place)) return this.weak(element, tag, reason, place);
      return this.plain(element, tag, place);
    }

    roleOf(element, tag) {
      const spoken = spokenRole(element);
      return INTERACTIVE.has(spoken) ? spoken : nativeRole(element, tag) || guess.role(element);
    }

    strong(element, tag, role, place) {
      if (!place.visible || !this.usable(element, place)) return this.plain(element, tag, place);
      this.flush();
      const name = nameOf(element, tag, role);
      if (place.flows && !place.muted) this.extendLine(spaced(element, name), place);
      this.emit(element, tag, role, name, place);
      if (DESCRIBED.has(tag) && !place.bare) this.describe(element, place);
      if (CLOSED.has(tag) || !(firstElement(element) || shadowOf(element))) return;
      place.muted = true;
      place.depth++;
      this.into(element, tag, place);
    }

    /** An element that only its behaviour makes interactive: its text is its name, unless it
     * holds interactive elements; then it is a container, which listens for them or by itself. */
    weak(element, tag, reason, place) {
      this.flush();
      if (place.flows) this.extendLine("", place);
      const { content } = this, at = content.length, before = shown.length;
      const role = spokenRole(element) || (SHAPES.has(tag) ? "graphics-symbol" : "generic");
      const entry = this.emit(element, tag, role, spokenName(element), place);
      place.depth++;
      this.plain(element, tag, place);
      if (place.flows) this.flush();
      else this.end();
      if (shown.length === before + 1) {
        const texts = content.splice(at + 1).map((text) => text[1]);
        entry[1] ||= fold(SHAPES.has(tag) && svgTitle(element) || texts.join(" "))
          || fold(attribute(element, "title") || guess.name(element));
        entry[1] = guess.measured(element, entry[1]);
      } else if (reason === "listener") {
        content.splice(at, 1);
        shown.splice(before, 1);
        for (let n = at; n < content.length; n++) content[n][2]--;
      }
    }

    plain(element, tag, place) {
      if (SPECIAL.has(tag)) {
        if (PICTURES.has(tag)) this.picture(element, tag, place);
        if (tag === "meter" || tag === "progress") this.gauge(element, tag, place);
        if (isFrame(tag)) this.frame(element, place);
        if (tag !== "svg") return;
      }
      if (tag === "dialog" && matches(element, ":modal")) this.dialog(element, place);
      const role = this.structure(element, tag, place);
      if (!role) return this.into(element, tag, place);
      this.end();
      place.current ||= !place.bare && isCurrent(element);
      if (tag === "label" && this.labels(element, place)) place.muted = true;
      if (tag !== "label" && place.role !== "text") place.depth++;
      place.role = role;
      this.into(element, tag, place);
      this.end();
    }

    /** A dialog that covers the page: a line with its name and what describes it, over the rest of
     * it. */
    dialog(element, place) {
      const about = fold(`${spokenName(element)} ${referenced(element, "aria-describedby")}`);
      this.say("dialog", about, place.depth, place.tint);
      place.depth++;
      for (const name of ["aria-labelledby", "aria-describedby"]) {
        for (const node of listed(element, name)) {
          if (contains(element, node) && !firstElement(node)) this.emitted.add(node);
        }
      }
    }

    /** What describes a field stands beside it, before all else that comes after the field. */
    describe(element, place) {
      let { outer } = place;
      while (outer.muted && outer.outer) outer = outer.outer;
      for (const node of listed(element, "aria-describedby")) {
        if (firstElement(node) || this.emitted.has(node) || !rendered(node)) continue;
        if (!(compared(element, node) & FOLLOWING)) continue;
        this.visit(node, outer);
        this.emitted.add(node);
      }
    }

    structure(element, tag, place) {
      if (!place.bare) {
        const spoken = spokenRole(element);
        if (SPOKEN_ROLES.has(spoken)) return spoken;
      }
      const role = TEXT_ROLES[tag] || "";
      return role === "columnheader" && attribute(element, "scope") === "row" ? "rowheader" : role;
    }

    into(element, tag, place) {
      const shadow = shadowOf(element);
      if (shadow) {
        roots.push(shadow);
        return this.children(shadow, place);
      }
      if (tag === "slot") {
        const nodes = assigned(element);
        for (const node of nodes) {
          if (nodeType(node) === TEXT) this.text(node, place);
          else if (nodeType(node) === ELEMENT) this.visit(node, place);
        }
        if (nodes.length) return;
      }
      if (tag === "details" && !element.open) {
        const summary = Array.from(element.children).find((e) => nameOfTag(e) === "summary");
        if (summary) this.visit(summary, place);
        return;
      }
      if (firstElement(element) || this.viewport) return this.children(element, place);
      const text = textIn(element);  // one call, where each text node would cost a few
      if (text) this.text(element, place, text);
    }

    /** Whether the control says what its label says, so that the label need not. A choice that
     * is drawn by its label alone stands where the label stands. */
    labels(label, place) {
      const control = label.control;
      if (!control || spokenName(control)) return false;
      const tag = nameOfTag(control);
      if (this.visible(control)) return true;
      if (!CHOICES.has(control.type)) return false;
      if (!place.visible || this.labelled.has(control)) return false;
      this.labelled.add(control);
      const role = this.roleOf(control, tag);
      this.emit(control, tag, role, nameOf(control, tag, role), place);
      return true;
    }

    visible(control) {
      const choice = CHOICES.has(control.type);
      return checkVisibility.call(control, { visibilityProperty: true })
        && (!choice || drawn(control));
    }

    picture(element, tag, place) {
      if (place.muted || !place.visible || !this.usable(element, place)) return;
      const name = spokenName(element) || fold(
        tag === "svg" ? svgTitle(element) : attribute(element, "alt") || "");
      if (!name) return;
      this.flush();
      this.say("img", name, place.depth, place.tint);
    }

    gauge(element, tag, place) {
      if (place.muted || !place.visible) return;
      const name = spokenName(element) || nativeName(element, tag);
      const value = attribute(element, "aria-valuetext") || `${element.value}/${element.max}`;
      const role = tag === "meter" ? "meter" : "progressbar";
      this.say(role, fold(`${name} ${value}`), place.depth, place.tint);
    }

    frame(element, place) {
      const page = inside(element);
      if (!page) return;
      const box = boxOf(element), outer = this.frames.at(-1);
      this.flush();
      this.frames.push({
        x: outer.x + box.x + element.clientLeft, y: outer.y + box.y + element.clientTop,
      });
      this.document(page, place.level);
      this.frames.pop();
    }

    /** Whether the element takes up room, and is in view where only the viewport is wanted. */
    usable(element, place) {
      if (!this.viewport && (place.roomy || hasText(element))) return true;
      if (!drawn(element)) return false;
      return !this.viewport || Array.from(boxesOf(element)).some((box) => this.inView(box));
    }

    inView(box) {
      const { x, y } = this.frames.at(-1);
      return box.width > 0 && box.height > 0 && box.right + x > 0 && box.bottom + y > 0
        && box.left + x < innerWidth && box.top + y < innerHeight;
    }

    emit(element, tag, role, name, place) {
      const kind = tag === "input" ? element.type : "";
      const value = valueOf(element, tag, role);
      const entry = [
        this.kinds.index(`${tag}\t${role}\t${kind}`), name, place.depth,
        this.tints.index(place.tint),
        attribute(element, "id") || 0, value === null ? 0 : [value],
        statesOf(element, tag, this.focused),
        tag === "select" ? Array.from(element.options, labelOfOption) : 0,
        commits(element, tag) ? 1 : 0,
      ];
      while (entry.length > 4 && (entry.at(-1) === 0 || entry.at(-1).length === 0)) entry.pop();
      shown.push(element);
      this.content.push(entry);
      return entry;
    }
  }

  /** Strings that occur many times, numbered from 1; 0 stands for none. */
  class Table {
    constructor() {
      this.rows = [];
      this.numbers = new Map();
    }

    index(row) {
      if (row === "") return 0;
      let number = this.numbers.get(row);
      if (number === undefined) {
        number = this.rows.push(row);
        this.numbers.set(row, number);
      }
      return number;
    }
  }

  const DESCRIBED = new Set(["input", "select", "textarea"]);

  const isCurrent = (element) => !["", "false"].includes(attribute(element, "aria-current") || "");

  /** The name of a link as it stands in a line, with the blanks of its own around it. */
  const spaced = (element, name) => {
    const text = textIn(element);
    return (/^\s/.test(text) ? " " : "") + name + (/\s$/.test(text) ? " " : "");
  };

  const skipped = (element) =>
    !rendered(element) && !["none", "contents"].includes(getComputedStyle(element).display);

  /** Whether the element, or the first one within it, and so on, takes up room. */
  const drawn = (element) => {
    for (let inner = element; inner; inner = firstElement(inner)) if (hasRoom(inner)) return true;
    return false;
  };

  const hasRoom = (element) => {
    if (namespaceOf(element) === HTML) return offsetWidth(element) > 0 && offsetHeight(element) > 0;
    const box = boxOf(element);
    return box.width > 0 && box.height > 0;
  };

  /** Whether text stands directly in an element: then it is drawn, whatever the box is. */
  const hasText = (element) => {
    if (!firstElement(element)) return /\S/.test(textIn(element));
    for (let child = firstChild(element); child; child = nextSibling(child)) {
      if (nodeType(child) === TEXT && /\S/.test(data(child))) return true;
    }
    return false;
  };

  const rangeBox = (node) => {
    const range = new Range();
    range.selectNodeContents(node);
    return range.getBoundingClientRect();
  };

  // Quiet -----------------------------------------------------------------------------------------

  let seen = false;
  const changes = new MutationObserver(() => {
    seen = true;
  });
  const everything = { subtree: true, childList: true, attributes: true, characterData: true };

  const watch = () => {
    for (const root of roots.length ? roots : [document]) changes.observe(root, everything);
  };
  const changed = () => {
    const any = changes.takeRecords().length > 0 || seen;
    seen = false;
    return any;
  };
  const turn = () => new Promise((done) => setTimeout(done));
  const frame = () => new Promise((done) => {
    const late = setTimeout(done, 50);
    requestAnimationFrame(() => {
      clearTimeout(late);
      setTimeout(done);
    });
  });
  const loaded = () => new Promise((done) => {
    if (readyState(document) === "complete") done();
    else addEventListener("load", () => setTimeout(done), { once: true });
  });

  /** Wait until the page has stopped changing; false when `limit` ms were not enough. With
   * `responsePending` the page gets a frame to show a reply that it has just received. With
   * `timePaused` its frames are virtual, so turns of the event loop are waited for instead. */
  const quiet = async (limit, responsePending, timePaused) => {
    const pause = timePaused ? turn : frame;
    const end = performance.now() + limit;
    const slow = new Promise((done) => setTimeout(done, limit));
    if (readyState(document) !== "complete") await Promise.race([loaded(), slow]);
    await (responsePending ? pause() : turn());
    if (responsePending && timePaused) await turn();
    while (changed()) {
      if (performance.now() > end) return false;
      await pause();
    }
    return true;
  };

  /** The longest observation; one beyond is answered by nothing. */
  const LONGEST = 20e6;

  /** The observation, after `passing` ms of virtual time; with the source of an `area`, or with
   * the `problem` why there is none. */
  const read = async (view, limit, responsePending, timePaused, passing, area) => {
    watch();
    if (passing) dispatchEvent(new CustomEvent("rehearsal:time", { detail: passing }));
    const settled = await quiet(limit, responsePending, timePaused);
    changes.disconnect();
    const walk = new Walk(view === "viewport");
    labelIndex = new Map();
    below = 0;
    walk.document(document);
    labelIndex = null;
    const found = area ? sourceOr(area, walk) : { source: "", problem: "" };
    const reading = JSON.stringify({
      url: location.href, title: titleOf(document), settled,
      kinds: walk.kinds.rows, tints: walk.tints.rows, content: walk.content,
      ...found, more: view === "viewport" ? more() : [],
      inputs: fold(attribute(rootElement(document), "data-inputs") || "").split(" "),
    });
    return reading.length > LONGEST ? "" : reading;
  };

  // The source ------------------------------------------------------------------------------------

  const VOID = new Set(["area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "wbr"]);
  const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt()};`);
  const written = (name, value) => ` ${name}="${escaped(value)}"`;

  const LONGEST_SELECTOR = 4096;
  const MOST_NESTED = 20;
  /** Characters of a source; an element within another one counts twice. */
  const LONGEST_SOURCE = 5e6;

  /** The source of an area, or the sentence that says why a selector of the agent's finds none. */
  const sourceOr = (area, walk) => {
    try {
      return { source: sourceOf(String(area), walk), problem: "" };
    } catch (problem) {
      if (!(problem instanceof Sentence)) throw problem;
      return { source: "", problem: problem.message };
    }
  };

  /** How deep the brackets of a selector stand within each other. */
  const nesting = (area) => {
    let depth = 0, deepest = 0;
    for (const sign of area) {
      if (sign === "(") deepest = Math.max(deepest, depth += 1);
      else if (sign === ")") depth -= 1;
    }
    return deepest;
  };

  const selected = (area) => {
    if (area.length > LONGEST_SELECTOR) {
      throw new Sentence(`A selector has at most ${LONGEST_SELECTOR} characters, not ${area.length}.`);
    }
    if (nesting(area) > MOST_NESTED) {
      throw new Sentence(`${quote(area)} is nested too deep; ${MOST_NESTED} brackets are the most.`);
    }
    try {
      return allIn[DOCUMENT](document, area);
    } catch {
      throw new Sentence(`${quote(area)} is not a CSS selector.`);
    }
  };

  /** The outer HTML of what a selector finds, a line each, hidden parts and all. The tags of shown
   * elements also tell what HTML does not: mark, role, name, value, states and colours. */
  const sourceOf = (area, walk) => {
    const entries = walk.content.filter(([kind]) => !walk.kinds.rows[kind - 1].startsWith("\t"));
    const marks = new Map(shown.map((element, n) => [element, n]));
    const told = (element, tag) => {
      const number = marks.get(element);
      if (number === undefined) return {};
      const [kind, name, , tint, , value, states] = entries[number];
      const role = walk.kinds.rows[kind - 1].split("\t")[1];
      const colors = tint ? walk.tints.rows[tint - 1].split("\t") : [];
      const styles = colors.flatMap((key, n) => (n % 2 ? [] : [`${key}:${colors[n + 1]}`]));
      const own = attribute(element, "style");
      return {
        "data-id": String(number + 1),
        ...(role !== nativeRole(element, tag) && { role }),
        ...(name !== fold(textIn(element)) && { "data-name": name }),
        ...(value && { value: value[0] }),
        ...Object.fromEntries((states || NONE).map((state) => [state, ""])),
        ...(styles.length && { style: [...(own ? [own.replace(/;\s*$/, "")] : []), ...styles].join(";") }),
      };
    };
    let length = 0, level = 0;
    const counted = (text) => {
      length += text.length;
      if (length <= LONGEST_SOURCE) return text;
      throw new Sentence(`The source at ${quote(area)} is too long; name a smaller part.`);
    };
    const write = (node) => {
      if (nodeType(node) === TEXT) return counted(escaped(data(node)));
      if (nodeType(node) !== ELEMENT || level > DEEPEST) return "";
      const tag = nameOfTag(node), own = {};
      for (const { name, value } of attributesOf(node)) own[name] = value;
      const all = Object.entries({ ...own, ...told(node, tag) });
      const opened = counted(`<${tag}${all.map(([name, value]) => written(name, value)).join("")}>`);
      return VOID.has(tag) ? opened : `${opened}${inner(node)}</${tag}>`;
    };
    const inner = (node) => {
      let text = "";
      level += 1;
      for (let child = firstChild(node); child; child = nextSibling(child)) text += write(child);
      level -= 1;
      return text;
    };
    return Array.from(selected(area), write).join("\n");
  };

  // Aiming ----------------------------------------------------------------------------------------

  class Sentence extends Error {}

  const quote = (text) => JSON.stringify(text.length > 60 ? text.slice(0, 60) + "…" : text);

  const byNumber = (id) => {
    const element = shown[id - 1];
    if (!element) throw new Sentence(`There is no element ${id} on this page.`);
    if (!isConnected(element)) throw new Sentence(`Element ${id} is not on the page any more.`);
    return element;
  };

  const byPath = (path) => {
    let found;
    try {
      found = Document.prototype.evaluate.call(
        document, path, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE, null).singleNodeValue;
    } catch {
      throw new Sentence(`${quote(path)} is not an XPath that finds elements.`);
    }
    if (found && nodeType(found) !== ELEMENT) found = parentNode(found) || found.ownerElement;
    if (!found || nodeType(found) !== ELEMENT) {
      throw new Sentence(`Nothing on this page is at ${quote(path)}.`);
    }
    return found;
  };

  const byName = (name) => {
    const wanted = fold(name), names = shown.map(currentName);
    let at = names.indexOf(wanted);
    if (at < 0) {
      const low = wanted.toLowerCase();
      at = names.findIndex((one) => one.toLowerCase() === low);
    }
    if (at < 0) throw new Sentence(`No element on this page is named ${quote(wanted)}.`);
    return shown[at];
  };

  const currentName = (element) => {
    if (!isConnected(element)) return "\u0000";
    const tag = nameOfTag(element), spoken = spokenRole(element);
    const known = INTERACTIVE.has(spoken) ? spoken : nativeRole(element, tag);
    const role = known || guess.role(element) || "generic";
    return nameOf(element, tag, role);
  };

  const find = (target) => {
    if (typeof target === "number") return byNumber(target);
    return /^[/(]/.test(target) ? byPath(target) : byName(target);
  };

  const describe = (element) => {
    const tag = nameOfTag(element), id = attribute(element, "id");
    return `<${tag}${id ? ` id=${quote(id)}` : ""}>`;
  };

  /** Where a frame's document stands in the top window. */
  const originOf = (element) => {
    let x = 0, y = 0;
    for (let view = windowOf(documentOf(element)); view && view !== top;) {
      const outer = view.frameElement;
      if (!outer) break;
      const box = boxOf(outer);
      x += box.x + outer.clientLeft;
      y += box.y + outer.clientTop;
      view = windowOf(documentOf(outer));
    }
    return { x, y };
  };

  /** The innermost element drawn at a place of the top window. */
  const topmost = (x, y) => {
    let scope = document, element = null;
    for (;;) {
      const next = topmostIn[nodeType(scope)](scope, x, y);
      if (!next || next === element) return element;
      element = next;
      if (isFrame(nameOfTag(element)) && inside(element)) {
        const box = boxOf(element);
        x -= box.x + element.clientLeft;
        y -= box.y + element.clientTop;
        scope = inside(element);
      } else if (shadowOf(element)) {
        scope = shadowOf(element);
      } else {
        return element;
      }
    }
  };

  const reaches = (hit, element) => {
    for (let node = hit; node && nodeType(node) === ELEMENT; node = parentOf(node)) {
      if (node === element) return true;
      if (nameOfTag(node) === "label" && node.control === element) return true;
    }
    return false;
  };

  const SPOTS = [[.5, .5], [.5, .2], [.5, .8], [.2, .5], [.8, .5], [.1, .1], [.9, .9]];

  const ARROWS = 16;

  /** The width of the arrows at the right end of a number field, beside which a click goes. */
  const arrows = (part, width) => nameOfTag(part) === "input" && part.type === "number"
    ? Math.min(ARROWS, width / 2) : 0;

  /** A place where a click reaches the element: {x, y}, or {over} with what is in the way. */
  const spot = (element) => {
    let over = null;
    for (const part of [element, ...labelsOf(element, nameOfTag(element))]) {
      const { x, y } = originOf(part);
      for (const box of Array.from(boxesOf(part)).slice(0, 4)) {
        if (box.width <= 0 || box.height <= 0) continue;
        for (const [across, down] of SPOTS) {
          const width = box.width - arrows(part, box.width);
          const at = { x: x + box.x + width * across, y: y + box.y + box.height * down };
          if (at.x < 0 || at.y < 0 || at.x >= innerWidth || at.y >= innerHeight) continue;
          const hit = topmost(at.x, at.y);
          if (hit && reaches(hit, element)) return at;
          over ||= hit;
        }
      }
    }
    return { over };
  };

  const inWindow = (element) => {
    const { x, y } = originOf(element), box = boxOf(element);
    return box.top + y >= 0 && box.left + x >= 0
      && box.bottom + y <= innerHeight && box.right + x <= innerWidth;
  };

  /** Bring into the window; with `inside` also out of what an element around it cuts off. */
  const show = (element, inside = false) => {
    const part = drawn(element) ? element : labelsOf(element, nameOfTag(element))[0] || element;
    if (inside || !inWindow(part)) {
      scrollTo(part, { block: "center", inline: "center", behavior: "instant" });
    }
  };

  const SINGLE_LINE = new Set(["text", "search", "email", "tel", "url", "password", "number"]);
  const SEGMENTED = new Set(["date", "time", "month", "week", "datetime-local"]);

  const editable = (element) => {
    const tag = nameOfTag(element);
    if (tag === "textarea") return "lines";
    if (tag === "input") {
      return SINGLE_LINE.has(element.type) ? "line" : SEGMENTED.has(element.type) ? element.type : "";
    }
    return element.isContentEditable ? "rich" : "";
  };

  const check = (element, need, target) => {
    const tag = nameOfTag(element);
    const name = typeof target === "number" ? `Element ${target}` : quote(String(target));
    if (need === "hover") return;
    if (FIELDS.has(tag) && matches(element, ":disabled")) {
      throw new Sentence(`${name} is disabled.`);
    }
    if (need === "type" && !editable(element)) throw new Sentence(`${name} is not a text field.`);
    if (need === "type" && element.readOnly) throw new Sentence(`${name} is read-only.`);
    if (need === "select" && tag !== "select") {
      const box = tag === "input" && ["checkbox", "radio"].includes(element.type);
      throw new Sentence(`${name} is not a select${box ? "; click it to choose it" : ""}.`);
    }
  };

  /** Answer a call of `act` as JSON: its result, or {error} with a sentence for the agent. */
  const answering = (act) => async (...args) => {
    below = 0;
    try {
      return JSON.stringify(await act(...args));
    } catch (problem) {
      if (problem instanceof Sentence) return JSON.stringify({ error: problem.message });
      throw problem;
    }
  };

  /** Find the target, bring it into view and wait until it can be hit, at most `limit` ms. */
  const aim = answering(async (target, need, limit) => {
    const element = find(target), end = performance.now() + limit;
    check(element, need, target);
    watch();
    for (let again = false; ; again = true) {
      show(element, again);
      const place = spot(element);
      if ("x" in place) {
        return { ...place, field: editable(element), tag: nameOfTag(element), foreign: guess.foreign };
      }
      if (performance.now() > end) throw new Sentence(unreachable(element, place.over, target));
      if (again) await frame();
    }
  });

  /** Places of the target in the window, its first hit; those after it may be anywhere. */
  const places = answering(async (target, path, limit) => {
    const element = find(target), end = performance.now() + limit;
    check(element, "click", target);
    watch();
    for (let again = false; ; again = true) {
      show(element, again);
      const { x, y } = originOf(element), box = boxOf(element);
      const [[across, down]] = path;
      if (across < 0 || down < 0 || across > box.width || down > box.height) {
        const size = `${Math.round(box.width)} x ${Math.round(box.height)}`;
        throw new Sentence(`The place ${across},${down} is outside: the element has ${size} pixels.`);
      }
      const found = path.map(([right, below]) => ({ x: x + box.x + right, y: y + box.y + below }));
      const hit = topmost(found[0].x, found[0].y);
      if (hit && reaches(hit, element)) return { places: found };
      if (performance.now() > end) throw new Sentence(unreachable(element, hit, target));
      if (again) await frame();
    }
  });

  /** Where a text of the target begins and ends in the window. */
  const textEnds = answering(async (target, wanted) => {
    const element = find(target);
    watch();
    show(element, true);
    const ends = rangeOf(element, wanted);
    if (!ends) throw new Sentence(`The element does not hold the text ${quote(wanted)}.`);
    const { x, y } = originOf(element);
    const [first, last] = ends.map((range) => Array.from(boxesOfRange(range)));
    const from = first[0], to = last.at(-1);
    if (!from || !to) throw new Sentence(`The text ${quote(wanted)} is not visible.`);
    return { places: [
      { x: x + from.left + 0.5, y: y + from.top + from.height / 2 },
      { x: x + to.right - 0.5, y: y + to.top + to.height / 2 },
    ] };
  });

  /** The first and the last letter of a text in an element, as ranges; blanks count as one. */
  const rangeOf = (element, wanted) => {
    const letters = [];
    const gather = (node, level) => {
      if (nodeType(node) === TEXT) {
        data(node).split("").forEach((letter, at) => letters.push({ node, at, letter }));
      } else if (level <= DEEPEST) {
        for (let child = firstChild(node); child; child = nextSibling(child)) gather(child, level + 1);
      }
    };
    gather(element, 0);
    const kept = letters.filter(({ letter }, at) => !/\s/.test(letter)
      || (at && !/\s/.test(letters[at - 1].letter)));
    const text = kept.map(({ letter }) => (/\s/.test(letter) ? " " : letter)).join("");
    const start = text.indexOf(fold(wanted));
    if (start < 0 || !fold(wanted)) return null;
    return [start, start + fold(wanted).length - 1].map((place) => {
      const range = new Range(), { node, at } = kept[place];
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      return range;
    });
  };
  const boxesOfRange = asked(Range, "getClientRects");

  /** Scroll what the target holds by its height. */
  const scrollInside = answering(async (target, direction) => {
    const element = find(target);
    watch();
    show(element);
    scrollIn(element, {
      top: clientHeight(element) * (direction === "up" ? -1 : 1), behavior: "instant",
    });
    await frame(); // which tells the page
    return {};
  });

  /** Bring the target, null for what has the focus, into the window as `aim` does, and say where it
   * stands there: its box, and `at`, where a click reaches it (null where none does). */
  const outline = answering(async (target) => {
    const element = target === null ? focusedIn(document) : find(target);
    if (!element || element === document.body) throw new Sentence("Nothing has the focus.");
    show(element);
    if (!("x" in spot(element))) show(element, true);
    const part = drawn(element) ? element : labelsOf(element, nameOfTag(element))[0] || element;
    const { x, y } = originOf(part), box = boxOf(part), place = spot(element);
    return {
      box: [x + box.x, y + box.y, box.width, box.height],
      at: "x" in place ? [place.x, place.y] : null,
    };
  });

  /** How far to the right and down the window shows something of the page, in steps of GRID. */
  const GRID = 20;
  const extent = answering(async () => {
    let right = 0, bottom = 0;
    for (let y = GRID / 2; y < innerHeight; y += GRID) {
      for (let x = GRID / 2; x < innerWidth; x += GRID) {
        const element = topmost(x, y);
        if (!element || element === document.body || element === document.documentElement) continue;
        right = Math.max(right, x + GRID / 2);
        bottom = y + GRID / 2;
      }
    }
    return { right, bottom, scrolled: scrollX + scrollY };
  });

  const unreachable = (element, over, target) => {
    const name = typeof target === "number" ? `Element ${target}` : quote(String(target));
    if (!isConnected(element)) return `${name} is not on the page any more.`;
    if (!over) return `${name} is not visible.`;
    return `${name} is covered by ${describe(dialogOver(element) || over)}.`;
  };

  /** The dialog that covers the page with the element, if one does: it takes clicks and keys. */
  const dialogOver = (element) => {
    const dialog = Array.from(allIn[9](documentOf(element), "dialog:modal")).at(-1);
    return dialog && !contains(dialog, element) ? dialog : null;
  };

  /** Give the field the focus and select what it holds. */
  const seize = answering(async (target) => {
    const element = find(target);
    if (SEGMENTED.has(element.type)) element.blur();
    if (focusedIn(document) !== element) element.focus({ preventScroll: true });
    const empty = element.isContentEditable ? !contentOf(element) : !element.value;
    if (element.isContentEditable) {
      const selection = windowOf(documentOf(element)).getSelection();
      selection.selectAllChildren(element);
    } else if (editable(element).startsWith("line")) {
      element.select();
    }
    return { empty };
  });

  /** How to choose more than one, where a list takes several: one `select` leaves only its own. */
  const several = (element) => element.multiple
    ? " To choose several, select one, then press Control+ArrowDown or Control+ArrowUp to go to"
      + " another and Control+Space to choose it too."
    : "";

  /** How far an option is from the choice, as the arrow keys count, and whether it is the choice. */
  const option = answering(async (target, label) => {
    const element = find(target), wanted = fold(label);
    check(element, "select", target);
    const options = Array.from(element.options), labels = options.map(labelOfOption);
    let at = labels.indexOf(wanted);
    if (at < 0) at = labels.findIndex((one) => one.toLowerCase() === wanted.toLowerCase());
    if (at < 0) throw new Sentence(`The select has no option ${quote(wanted)}.${several(element)}`);
    if (matches(options[at], ":disabled")) {
      throw new Sentence(`The option ${quote(labels[at])} is disabled.`);
    }
    const over = dialogOver(element);
    if (over) throw new Sentence(unreachable(element, over, target));
    watch();
    const open = options.filter((one, n) => n !== element.selectedIndex
      && !matches(one, ":disabled") && getComputedStyle(one).display !== "none");
    const { selectedIndex } = element;
    const down = open.filter((one) => one.index > selectedIndex && one.index <= at).length;
    const up = open.filter((one) => one.index < selectedIndex && one.index >= at).length;
    return {
      chosen: options[at].selected && element.selectedOptions.length === 1,
      list: element.multiple || element.size > 1, down, up,
    };
  });

  const aimOption = answering(async (target, label) => {
    const element = find(target), wanted = fold(label).toLowerCase();
    const choice = Array.from(element.options).find(
      (one) => labelOfOption(one).toLowerCase() === wanted);
    scrollTo(choice, { block: "nearest", behavior: "instant" });
    show(element);
    const { x, y } = originOf(element), box = boxOf(choice);
    return { x: x + box.x + box.width / 2, y: y + box.y + box.height / 2 };
  });

  /** Whether a select holds this option within `limit` ms; a list that was open closes late. */
  const chosen = answering(async (target, label, limit) => {
    const element = find(target), wanted = fold(label).toLowerCase();
    const end = performance.now() + limit;
    const holds = () => Array.from(element.selectedOptions).some(
      (one) => labelOfOption(one).toLowerCase() === wanted);
    while (!holds() && performance.now() < end) await turn();
    return { chosen: holds() };
  });

  /** What can be scrolled in the middle of the window, but for the page: the innermost first. */
  const scrollers = () => {
    const page = scrollerOf(document), found = [];
    for (let node = topmost(innerWidth / 2, innerHeight / 2); node; node = parentOf(node)) {
      if (nodeType(node) !== ELEMENT || node === page) break;
      if (/auto|scroll/.test(getComputedStyle(node).overflowY)) found.push(node);
    }
    return found;
  };

  /** Where there is more than the window shows: above, below. */
  const more = () => {
    const page = scrollerOf(document), all = page ? [...scrollers(), page] : scrollers();
    const left = (node) => scrollHeight(node) - scrollTop(node) - clientHeight(node);
    return [
      ...(all.some((node) => scrollTop(node) >= 1) ? ["above"] : []),
      ...(all.some((node) => left(node) >= 1) ? ["below"] : []),
    ];
  };

  /** Scroll what is in the middle of the window by one window height. */
  const scroll = answering(async (direction) => {
    watch();
    const by = innerHeight * (direction === "up" ? -1 : 1);
    for (const node of scrollers()) {
      const before = scrollTop(node);
      scrollIn(node, { top: by, behavior: "instant" });
      if (scrollTop(node) !== before) return {};
    }
    scrollBy({ top: by, behavior: "instant" });
    return {};
  });

  /** Take the focus from the page, as the address bar does: a field tells of its change. */
  const leave = answering(async () => {
    focusedIn(document)?.blur();
    return {};
  });

  /** Look out for a drag that the page begins by itself. */
  let dragging = null;
  addEventListener("dragstart", (event) => (dragging = event), true);
  const watchDrag = answering(async () => {
    dragging = null;
    return {};
  });
  const dragBegan = answering(async () => {
    const began = dragging !== null && !dragging.defaultPrevented;
    dragging = null;
    return { began };
  });

  Object.defineProperty(globalThis, "rehearsal", {
    value: Object.freeze({
      read, aim, places, textEnds, scrollInside, outline, extent, seize, option, aimOption, chosen,
      scroll, leave, watchDrag, dragBegan,
    }),
  });
})();
