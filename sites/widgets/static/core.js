// The core of every task page. Its globals are MiniWoB's public protocol (Shi et al. 2017, Liu et
// al. 2018), so any driver of those pages can play these. Beside them the core keeps a verdict of
// its own in this closure and reports it to the site: what is outside can spoil it, not make it.
// A script that runs before this one can forge anything; docs/widgets.md says who may run one.
(() => {
  "use strict";

  const clock = performance.now.bind(performance);
  const [later, never, every, endless] = ["setTimeout", "clearTimeout", "setInterval",
    "clearInterval"].map((name) => window[name].bind(window));
  const send = window.fetch.bind(window);
  const { stringify } = JSON;
  const listen = EventTarget.prototype.addEventListener;
  const { defineProperty, getOwnPropertyDescriptor, isExtensible, preventExtensions } = Object;
  const { get: ownTarget } = getOwnPropertyDescriptor(Event.prototype, "target");
  const targetOf = Function.prototype.call.bind(ownTarget);

  // Dice: seeded by name, the same on every machine ---------------------------------------------

  /** Four 32-bit numbers from a text (FNV-1a with a last mix), one for each salt. */
  const hashes = (text) => [0, 1, 2, 3].map((salt) => {
    let hash = 2166136261 ^ (salt * 0x9e3779b9);
    for (let at = 0; at < text.length; at++) {
      hash = Math.imul(hash ^ text.charCodeAt(at), 16777619);
    }
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    return (hash ^ (hash >>> 13)) | 0;
  });

  /** Small fast counter (sfc32): numbers from 0 to 1 with 53 random bits. */
  const generator = (text) => {
    let [a, b, c, count] = hashes(text);
    const next = () => {
      const sum = (((a + b) | 0) + count) | 0;
      count = (count + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = (((c << 21) | (c >>> 11)) + sum) | 0;
      return sum >>> 0;
    };
    for (let warm = 0; warm < 16; warm++) next();
    return () => ((next() >>> 5) * 67108864 + (next() >>> 6)) / 9007199254740992;
  };

  let random = Math.random;
  const reseed = Math.seedrandom = (seed) => {
    if (playing()) taint("Math.seedrandom was called during the episode");
    const text = String(seed ?? crypto.getRandomValues(new Uint32Array(4)));
    Math.random = random = generator(text);
    return text;
  };

  // The page's address --------------------------------------------------------------------------

  /** The variant `easy` has so many times the time. */
  const EASY = 100;
  const task = location.pathname.split("/").at(-1).replace(/\.html$/, "");
  let options = {};
  let seconds = 10;
  let limit = 10_000;
  /** What is needed beyond the usual inputs, and what besides in the variant `pixels`. */
  let needed = { inputs: [], pixels: [] };
  const readAddress = () => {
    options = Object.fromEntries(new URLSearchParams(location.search));
    core.QueryString = { ...options };
    WOB.WOB_DATA_MODE = options.mode || "default";
    problem.easy = options.variant === "easy";
    problem.pixels = options.variant === "pixels";
    const { inputs, pixels } = needed;
    const verbs = [...inputs, ...(problem.pixels ? pixels : [])].join(" ");
    if (verbs) document.documentElement.dataset.inputs = verbs;
    else delete document.documentElement.dataset.inputs;
    const given = Number(options.seconds) || seconds * (problem.easy ? EASY : 1);
    core.EPISODE_MAX_TIME = limit = given * 1000;
  };

  // The public state ----------------------------------------------------------------------------

  const WOB = {
    WOB_REWARD_GLOBAL: 0, WOB_RAW_REWARD_GLOBAL: 0, WOB_REWARD_REASON: null,
    WOB_DONE_GLOBAL: false, WOB_EPISODE_ID: 0, WOB_TASK_READY: true, WOB_DATA_MODE: "default",
  };
  for (const name of Object.keys(WOB)) {
    defineProperty(window, name, {
      enumerable: true,
      get: () => WOB[name],
      set(value) {
        if (name !== "WOB_DATA_MODE") taint(`${name} was set by a script`);
        WOB[name] = value;
      },
    });
  }

  const rewards = [];

  // The private verdict -------------------------------------------------------------------------

  /** The running or last episode: {number, began, judged, over, tainted, soft, touched, timer,
      ...}. */
  let episode = null;
  let drawing = false;
  let spoilt = false;
  let load = Promise.resolve("");
  let number = 0;
  const playing = () => episode !== null && !episode.judged;

  /** The channel of the lane that drives this page; null with other drivers, whose pages post. */
  let channel = null;
  dispatchEvent(new CustomEvent("rehearsal:reports", { detail: (given) => (channel = given) }));

  /** The JSON of texts and numbers. No object is turned into text, whose `toJSON` could be another
      script's. */
  const json = (facts) => {
    let inner = "";
    for (const name in facts) {
      const value = facts[name];
      inner += `${inner && ","}"${name}":${typeof value === "number" ? value : stringify(value)}`;
    }
    return `{${inner}}`;
  };

  const post = (path, message) => send(path, {
    __proto__: null, method: "POST", body: json(message),
    headers: { __proto__: null, "Content-Type": "application/json" },
  });

  /** Tell the site that this page begins; it answers with a key where somebody keeps score. */
  const enter = () => {
    number = 0;
    const { seed = "", variant = "standard", scenario = "" } = options;
    const message = {
      __proto__: null, kind: "load", task, seed, variant, mode: WOB.WOB_DATA_MODE, scenario,
    };
    if (channel) channel(json(message));
    else {
      load = post("/load", message)
        .then((answer) => (answer.status === 200 ? answer.text() : ""), () => "");
    }
  };

  const report = (kind, facts) => {
    const message = {
      __proto__: null, kind, episode: episode.number, moment: ++episode.moments, ...facts,
    };
    if (channel) channel(json(message));
    else {
      load.then((key) => key && post("/report", { __proto__: null, key, ...message }))
        .catch(() => {});
    }
  };

  const SOFT = true;
  /** Nothing of this episode counts for us. A `soft` taint is what drivers do that set fields by
      script: the raw reward is still told. A hard one comes over a soft one. */
  const taint = (reason, soft = false) => {
    spoilt = true;
    if (!playing() || (episode.tainted && (soft || !episode.soft))) return;
    Object.assign(episode, { tainted: reason, soft });
    report("tainted", { reason });
  };

  // What a page's logic stands on, which scripts that come later cannot replace. An assignment
  // does nothing and is noticed, `Object.defineProperty` throws, and a global name cannot be
  // declared again.
  const BUILTINS = ["Object", "Function", "Array", "String", "Number", "Boolean", "Symbol", "RegExp",
    "Date", "Map", "Set", "WeakSet", "Promise", "Math", "JSON", "Reflect", "Performance", "Response",
    "EventTarget", "Event", "UIEvent", "MouseEvent", "PointerEvent", "KeyboardEvent", "InputEvent", "Node", "Element",
    "CharacterData", "Text", "Document", "HTMLDocument", "DOMTokenList", "NodeList", "HTMLCollection",
    "CSSStyleDeclaration", "DOMRect", "DOMRectReadOnly", "AbstractRange", "Range", "Selection",
    "URLSearchParams", "HTMLElement",
    "HTMLInputElement", "HTMLTextAreaElement", "HTMLSelectElement", "HTMLOptionElement",
    "HTMLButtonElement", "HTMLLabelElement", "HTMLDivElement", "HTMLSpanElement", "HTMLAnchorElement",
    "HTMLParagraphElement", "HTMLUListElement", "HTMLLIElement", "HTMLHeadingElement",
    "HTMLFieldSetElement", "HTMLTableElement", "HTMLTableCellElement", "SVGElement",
    "SVGGraphicsElement", "SVGGeometryElement", "HTMLCanvasElement", "CanvasRenderingContext2D",
    "TextMetrics", "Path2D"];
  const NAMES = ["parseInt", "parseFloat", "isNaN", "isFinite", "performance", "setTimeout",
    "setInterval", "clearTimeout", "clearInterval", "requestAnimationFrame", "fetch", "getSelection"];
  const FREE = new Set(["random", "seedrandom"]);

  const lockName = (object, name) => {
    const facts = getOwnPropertyDescriptor(object, name);
    if (!facts?.configurable || FREE.has(name)) return;
    const { value, writable, get, set, enumerable } = facts;
    const fixed = { __proto__: null, enumerable, configurable: false };
    if (!writable) return defineProperty(object, name, get || set ? { ...fixed, get, set } : fixed);
    if (typeof name === "symbol") return defineProperty(object, name, { ...fixed, writable: false });
    defineProperty(object, name, {
      ...fixed,
      get: () => value,
      set(given) {
        if (this === object || !isExtensible(this)) return taint(`${name} was replaced by a script`);
        defineProperty(this, name, {
          __proto__: null, value: given, writable: true, enumerable: true, configurable: true,
        });
      },
    });
  };
  const lock = (object) => {
    for (const name of Reflect.ownKeys(object)) lockName(object, name);
    preventExtensions(object);
  };
  const lockAll = () => {
    const iterators = [[].values(), "".matchAll(/./g), ""[Symbol.iterator](), new Map().keys(),
      new Set().keys()].map(Object.getPrototypeOf);
    const found = BUILTINS.map((name) => window[name]).filter(Boolean);
    const types = found.filter((each) => typeof each === "function");
    for (const name of [...BUILTINS, ...NAMES]) lockName(window, name);
    for (const each of [...found, ...types.map((type) => type.prototype), ...iterators,
      Object.getPrototypeOf(iterators[0]), performance]) lock(each);
  };

  /** The name of a builtin that is not what it was, or "". */
  const replaced = () => (Math.random === random ? "" : "Math.random");

  // What the fields of the page hold, as the user and the page's own logic have left them, and
  // which of those to type into were typed into.
  const TYPED = new Set(["text", "password", "number", "search", "email", "tel", "url", "textarea"]);
  const BY_HAND = new Set(["insertFromPaste", "insertFromDrop"]);
  let fields = [];
  let known = new Map();
  const typed = { first: new Map(), by: new Set() };
  const held = (field) => {
    if (field.type === "checkbox" || field.type === "radio") return field.checked;
    if (!field.type.startsWith("select")) return field.value;
    return Array.from(field.selectedOptions, (option) => option.index).join();
  };
  const learn = () => {
    for (const field of fields) {
      known.set(field, held(field));
      if (typed.first.get(field) === null) typed.first.set(field, field.value);
    }
    if (playing()) advance();
  };
  const nameOf = (field) => (/^[\w-]{1,40}$/.test(field.id) ? field.id : field.tagName.toLowerCase());
  /** No field has changed but that of the event, or the other boxes of its group. */
  const checkFields = (target = null) => {
    for (const field of fields) {
      if (field === target || (target?.type === "radio" && field.type === "radio")) continue;
      if (known.has(field) && known.get(field) !== held(field)) {
        taint(`the field ${nameOf(field)} was set by a script`, SOFT);
      }
    }
  };
  const checkKeys = () => {
    for (const [field, first] of typed.first) {
      if (first !== null && field.value !== first && !typed.by.has(field)) {
        taint(`nobody typed into the field ${nameOf(field)}`, SOFT);
      }
    }
  };
  /** Note a field that a page made. */
  const note = (field, { readonly }) => {
    fields.push(field);
    if (TYPED.has(field.type) && !readonly) typed.first.set(field, null);
  };
  const forgetFields = () => {
    fields = [];
    known = new Map();
    typed.first.clear();
    typed.by.clear();
  };

  /** Report how many of the controls that had to change are as they should be. */
  const advance = () => {
    const { controls, wrong } = episode;
    if (!controls || !wrong) return;
    const left = controls().filter((right) => !right).length;
    const share = Math.max(0, Math.round((1 - left / wrong) * 1e4) / 1e4);
    if (share === episode.share) return;
    episode.share = share;
    report("progress", { share });
  };

  const LONGEST = 200;
  const check = () => {
    const name = replaced();
    if (name) taint(`${name} was replaced by a script`);
    if (core.EPISODE_MAX_TIME !== limit) taint("the time limit was set by a script");
    checkFields();
  };

  const judge = (raw, reason) => {
    check();
    if (raw > 0 && !episode.touched) taint("no user did anything");
    if (raw > 0) checkKeys();
    const { tainted, soft, share } = episode, elapsed = clock() - episode.began;
    const counted = tainted && !soft ? 0 : raw;
    report("verdict", {
      raw: counted, reward: scaled(counted, elapsed),
      reason: typeof reason === "string" ? reason.slice(0, LONGEST) : "",
      seconds: Math.round(elapsed) / 1000, share: share || 0, tainted, soft: Number(soft),
    });
    episode.judged = true;
  };

  const scaled = (raw, elapsed) =>
    raw > 0 ? Math.round(raw * Math.max(0, 1 - elapsed / limit) * 1e6) / 1e6 : raw;

  const finish = (raw, reason) => {
    if (!playing()) return;
    judge(raw, reason);
    core.endEpisode(raw, raw > 0, reason);
  };

  // Events: every episode watches what it is driven by -------------------------------------------

  const USER = ["click", "dblclick", "mousedown", "mouseup", "mouseover", "pointerdown", "pointerup",
    "keydown", "keyup", "keypress", "input", "change", "submit", "wheel", "touchstart", "touchend",
    "dragstart", "drop", "paste", "contextmenu"];
  const BEFORE = new Set(["mousedown", "keydown", "dragstart"]);
  const AFTER = new Set(["click", "input", "change"]);
  const LEAVING = new Set(["Tab", "Enter"]);
  const SETS = new Set(["input", "change"]);
  const seen = new WeakSet();
  /** `type` is what was listened to: a script's event can say that it is another. A script can
      dispatch an event that was seen once more. */
  const witness = (event, type) => {
    if (!playing()) return;
    if (!preventExtensions(event).isTrusted) {
      const soft = SETS.has(type) && fields.includes(targetOf(event));
      return taint(`an untrusted ${type} event`, soft);
    }
    if (seen.has(event)) return;
    seen.add(event);
    const { target, key, inputType } = event;
    if (BEFORE.has(type)) {
      checkFields();
      episode.touched = true;
      if (type === "keydown" && !LEAVING.has(key)) typed.by.add(target);
    } else if (type === "mouseover") {
      episode.touched = true;
    } else if (AFTER.has(type)) {
      checkFields(target);
      if (type === "input" && (!inputType || BY_HAND.has(inputType))) typed.by.add(target);
      learn();
    }
  };
  for (const type of USER) {
    listen.call(window, type, (event) => witness(event, type), { capture: true, passive: true });
  }

  let inside = 0;
  const ours = (handler, current) => (...args) => {
    if (episode !== current) return;
    if (playing() && !inside) check();
    inside++;
    try {
      handler(...args);
    } finally {
      inside--;
    }
    if (playing()) learn();
  };
  // Where a handler of the page moves the focus, no other script gets its turn in between.
  for (const type of ["focus", "focusin", "blur", "focusout"]) {
    listen.call(window, type, (event) => inside && event.stopImmediatePropagation(), true);
  }

  // What a page's own script works with ----------------------------------------------------------

  let draw = null;
  let gathering = false;
  const gathered = [];
  let utterance = null;

  const problem = {
    easy: false,
    /** Whether what is drawn is to be on a canvas alone. */
    pixels: false,
    /** Whether nobody keeps score: the same seed may then be another problem, so that playing it
        tells nothing of the one that counts. */
    get practice() {
      return !channel && !options.scenario;
    },
    get mode() {
      return WOB.WOB_DATA_MODE;
    },
    /** Show the instruction; `told` is what `getUtterance` says instead: a text, or an object with
        `fields`, whose `utterance` is the text shown where it has none. */
    say(content, told = null) {
      query.replaceChildren(...[content].flat());
      utterance = told;
    },
    /** Do this on the event. The handler ends with the episode. */
    on(target, type, handler) {
      const mine = ours(handler, episode);
      listen.call(target, type, (event) => {
        witness(event, type);
        mine(event);
      });
    },
    /** Write into a field what the user chose elsewhere on the page, for which no key is pressed. */
    put(field, text) {
      field.value = text;
      if (typed.first.has(field)) typed.first.set(field, text);
    },
    /** Do this after so many milliseconds. */
    later: (ms, handler) => later(ours(handler, episode), ms),
    /** The task is over: true or false for +1 and -1, or a number. Above 0 it shrinks with time. */
    end(result, reason) {
      finish(result === true ? 1 : result === false ? -1 : result, reason);
    },
    /** Nothing of this episode counts for us; the public reward is given all the same. */
    taint: (reason) => taint(reason),
    /** `state` lists for each control whether it is as it should be. */
    controls(state) {
      episode.controls = state;
      episode.wrong = state().filter((right) => !right).length;
      episode.share = 0;
    },
  };

  // The public protocol --------------------------------------------------------------------------

  const core = {
    EPISODE_MAX_TIME: 10_000,
    QueryString: {},

    /** Ours: how a page says what it is. `genProblem(task)` draws one problem; `seconds` to solve it,
     * where the address names no others.
     * `inputs` are those that a page needs beyond the usual ones: click_at, hover_at, draw,
     * mark_text, scroll_in; `pixels` those that it needs besides in the variant of that name. */
    page(genProblem, { seconds: time = 10, inputs = [], pixels = [] } = {}) {
      if (gathering) return gathered.push({ genProblem, seconds: time, inputs });
      if (draw) throw new Error("core.page was called before; a page is one task");
      draw = genProblem;
      seconds = time;
      needed = { inputs, pixels };
      readAddress();
      Object.defineProperty(window, "genProblem", { value: generate });
      listen.call(window, "load", () => core.startEpisode());
    },

    /** Ours: until the parts are taken, pages that say what they are are parts of a composition. */
    gather() {
      gathering = true;
    },
    parts() {
      gathering = false;
      return gathered;
    },

    startEpisode() {
      core.createDisplay();
      enter();
      if (options.seed === undefined) return cover(true);
      reseed(options.seed);
      core.startEpisodeReal();
    },

    startEpisodeReal() {
      if (playing()) {
        taint("another episode was started");
        judge(0, "another episode was started");
      }
      forget();
      episode = {
        number: ++number, began: clock(), judged: false, over: false, tainted: "",
        soft: false, touched: false, moments: 0, refs: [null], controls: null, wrong: 0, share: 0,
      };
      drawing = true;
      generate();
      drawing = false;
      learn();
      Object.assign(WOB, {
        WOB_REWARD_GLOBAL: 0, WOB_RAW_REWARD_GLOBAL: 0, WOB_REWARD_REASON: null,
        WOB_DONE_GLOBAL: false,
      });
      cover(false);
      episode.began = clock();
      const current = episode;
      episode.timer = later(() => episode === current && finish(-1, "timed out"),
        core.EPISODE_MAX_TIME);
      countdown();
    },

    endEpisode(reward, timeProportional = false, reason) {
      if (!episode || episode.over) return;
      if (playing()) {
        taint("core.endEpisode was called by a script");
        judge(0, reason);
      }
      episode.over = true;
      never(episode.timer);
      const elapsed = clock() - episode.began;
      WOB.WOB_RAW_REWARD_GLOBAL = reward;
      WOB.WOB_REWARD_REASON = reason ?? null;
      WOB.WOB_REWARD_GLOBAL = timeProportional
        ? reward * Math.max(0, 1 - elapsed / core.EPISODE_MAX_TIME) : reward;
      WOB.WOB_EPISODE_ID++;
      WOB.WOB_DONE_GLOBAL = true;
      core.clearTimer();
      showReward();
      cover(true);
      tellPlayer(elapsed);
    },

    getUtterance() {
      const shown = fold(query.textContent);
      return utterance?.fields ? { utterance: shown, ...utterance } : utterance ?? shown;
    },

    setDataMode(mode) {
      WOB.WOB_DATA_MODE = mode;
    },

    getOpt: (from, key, otherwise) => (Object.hasOwn(from, key) ? from[key] : otherwise),

    // Chance
    randi: (from, end) => Math.floor(random() * (end - from)) + from,
    randf: (from, end) => random() * (end - from) + from,
    sample: (list) => list[core.randi(0, list.length)],
    shuffle(list) {
      for (let last = list.length - 1; last > 0; last--) {
        const at = core.randi(0, last + 1);
        [list[last], list[at]] = [list[at], list[last]];
      }
      return list;
    },
    /** Ours: whether something of this probability happens. */
    chance: (share) => random() < share,
    /** Ours: so many different ones of a list, in random order; the list stays as it is. */
    several: (list, count) => core.shuffle([...list]).slice(0, count),
    /** Ours: `from` to `end - 1` random letters and digits. */
    text(from, end = from + 1) {
      const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
      return Array.from({ length: core.randi(from, end) }, () => core.sample(letters)).join("");
    },

    /** Ours: an element with attributes and children. */
    make(tag, attributes = {}, ...children) {
      return filled(document.createElement(tag), attributes, children);
    },
    /** Ours: the same for shapes. */
    svg(tag, attributes = {}, ...children) {
      return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
    },

    // Showing
    createDisplay() {
      // A driver that put the instruction back as text: the policy lets no style of a text pass.
      for (const styled of query.querySelectorAll("[style]")) styled.style.cssText = styled.getAttribute("style");
      for (const [part, inner] of display) {
        if (!part.isConnected) document.body.append(part);
        if (!part.firstChild) part.append(...inner);
      }
    },
    /** Show a reward as the last one, and the mean of the last ten that were shown. */
    updateDisplay(reward) {
      rewards.push(reward);
      if (rewards.length > 10) rewards.shift();
      const mean = rewards.reduce((one, two) => one + two) / rewards.length;
      for (const [place, number] of [[lastReward, reward], [meanReward, mean]]) {
        place.textContent = number.toFixed(2);
        place.style.color = colorOf(number);
      }
    },
    hideDisplay() {
      board.style.display = "none";
    },
    clearTimer() {
      endless(ticking);
      timeLeft.textContent = "-";
    },
    canvasDrawClick({ pageX, pageY }) {
      const ink = canvas.getContext("2d");
      ink.clearRect(0, 0, canvas.width, canvas.height);
      if (!playing()) return;
      ink.fillStyle = "rgb(100 100 255 / .5)";
      ink.beginPath();
      ink.arc(pageX, pageY, 5, 0, 2 * Math.PI);
      ink.fill();
    },
    /** Draw a 20 x 20 grid of weights from 0 to 1 over the page. */
    visualizeAttention(grid) {
      const ink = canvas.getContext("2d");
      ink.clearRect(0, 0, canvas.width, canvas.height);
      grid.forEach((row, y) => row.forEach((weight, x) => {
        ink.fillStyle = `rgb(255 80 80 / ${weight})`;
        ink.fillRect(x * 8, y * 10.5, 8, 10.5);
      }));
    },
    /** Recordings of people are not made here; the function is for drivers that call it. */
    addRecordScript() {},

    // Elements for drivers
    getDOMInfo: (base = document.body) => info(base),
    /** What `getDOMInfo` answers, and all in it, by their `ref`. */
    flattenDOMInfo(facts, flat = {}) {
      flat[facts.ref] = facts;
      for (const child of facts.children) core.flattenDOMInfo(child, flat);
      return flat;
    },
    elementClick(ref) {
      const element = episode?.refs[ref];
      if (!element) return `there is no element ${ref}; call core.getDOMInfo first`;
      element.focus?.();
      if (element instanceof SVGElement) {
        for (const type of ["mousedown", "mouseup", "click"]) {
          element.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true, view: window }));
        }
      } else element.click();
      return true;
    },
  };

  const generate = () => {
    if (!drawing) taint("genProblem was called by a script");
    const outside = !drawing;
    query.replaceChildren();
    area.replaceChildren();
    for (const stray of document.querySelectorAll("body > .of-the-page")) stray.remove();
    utterance = null;
    forgetFields();
    draw(problem);
    if (outside) learn();
  };

  /** Nothing of the last episode is left on the page. */
  const forget = () => {
    if (episode) never(episode.timer);
    getSelection().removeAllRanges();
    if (document.activeElement !== document.body) document.activeElement.blur();
    canvas.width = canvas.width;
    area.scrollTop = 0;
    if (scrollX || scrollY) scrollTo(0, 0);
  };

  const fold = (text) => text.replace(/\s+/g, " ").trim();

  const FIELDS = new Set(["INPUT", "TEXTAREA", "SELECT"]);
  const filled = (element, attributes, children) => {
    for (const [name, value] of Object.entries(attributes)) {
      if (name === "style") element.style.cssText = value;
      else if (value !== false) element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.flat());
    if (FIELDS.has(element.tagName)) note(element, attributes);
    return sealed(element);
  };
  /** No script gives it properties of its own; a list of options can only be kept from some. */
  const sealed = (element) => {
    if (element.tagName !== "SELECT") return preventExtensions(element);
    for (const name of ["type", "value", "selectedOptions"]) {
      const { get, set } = getOwnPropertyDescriptor(HTMLSelectElement.prototype, name);
      defineProperty(element, name, { __proto__: null, get, set, enumerable: true });
    }
    return element;
  };

  // The display ------------------------------------------------------------------------------------

  const { make } = core;
  const wrap = document.querySelector("#wrap"), query = make("div", { id: "query", role: "note" });
  const area = make("div", { id: "area" });
  problem.area = area;
  const lastReward = make("span", { id: "reward-last" }, "-");
  const meanReward = make("span", { id: "reward-avg" }, "-");
  const timeLeft = make("span", { id: "timer-countdown" }, "-");
  const episodes = make("span", { id: "episode-id" }, "0");
  const canvas = make("canvas", { id: "click-canvas", width: 160, height: 210, "aria-hidden": "true" });
  const start = make("div", { id: "sync-task-cover", role: "button" });
  const board = make("div", { id: "reward-display", "aria-hidden": "true" });
  const display = [
    [canvas, []],
    [start, ["START"]],
    [board, [
      make("div", { class: "info" }, "Last reward", lastReward),
      make("div", { class: "info" }, "Last 10 average", meanReward),
      make("div", { class: "info" }, "Time left", timeLeft),
      make("div", { class: "info" }, "Episodes done", episodes),
    ]],
  ];
  let ticking = 0;

  const cover = (shown) => {
    start.hidden = !shown;
  };

  const countdown = () => {
    endless(ticking);
    const show = () => {
      const all = core.EPISODE_MAX_TIME, left = Math.max(0, all - (clock() - episode.began));
      timeLeft.textContent = `${Math.ceil(left / 1000)} / ${Math.round(all / 1000)} s`;
    };
    show();
    ticking = every(show, 1000);
  };

  /** Only to drivers that report by themselves: in a run an agent could read it and try again. */
  const showReward = () => {
    episodes.textContent = WOB.WOB_EPISODE_ID;
    if (channel) return;
    core.updateDisplay(WOB.WOB_REWARD_GLOBAL);
  };

  /** From red for -1 over orange to green for 1. */
  const colorOf = (reward) => (reward > 0
    ? `rgb(${Math.floor(255 * (1 - reward))}, 180, 0)`
    : `rgb(255, ${Math.floor(180 * (1 + reward))}, 0)`);

  /** The player of the gallery lists the rewards of the page that it frames. */
  const tellPlayer = (elapsed) => {
    if (parent === window) return;
    const { WOB_RAW_REWARD_GLOBAL: raw, WOB_REWARD_GLOBAL: reward, WOB_REWARD_REASON: reason } = WOB;
    parent.postMessage({ raw, reward, reason, seconds: elapsed / 1000 }, location.origin);
  };

  // What drivers see -------------------------------------------------------------------------------

  const HIDDEN = new Set(["reward-display", "sync-task-cover", "click-canvas", "query"]);
  const CHOICE = new Set(["checkbox", "radio"]);

  /** Nested facts of an element and what is drawn in it; null where it has no box. */
  const info = (element) => {
    const box = element.getBoundingClientRect(), style = getComputedStyle(element);
    if (HIDDEN.has(element.id) || style.visibility === "hidden" || !drawn(element, box)) return null;
    const colors = { bgColor: style.backgroundColor, fgColor: style.color };
    const facts = {
      tag: tagOf(element), ...place(box), id: element.id,
      classes: element.getAttribute("class") || "", ref: refOf(element), ...colors, children: [],
    };
    const children = Array.from(element.childNodes).flatMap((node) => inner(node, colors));
    if (element === document.activeElement) facts.focused = true;
    if (element.dataset.tampered === stamp()) facts.tampered = true;
    if (["INPUT", "TEXTAREA", "SELECT"].includes(element.tagName)) {
      facts.value = CHOICE.has(element.type) ? element.checked : element.value;
    }
    if (children.length && children.every(({ tag }) => tag === "t")) {
      facts.text = children.map(({ text }) => text).join(" ");
    } else facts.children = children;
    return facts;
  };

  const drawn = (element, box) => (box.width && box.height)
    || Array.from(element.children).some((child) => drawn(child, child.getBoundingClientRect()));

  const inner = (node, colors) => {
    if (node.nodeType === Node.ELEMENT_NODE) return info(node) ?? [];
    return node.nodeType === Node.TEXT_NODE && /\S/.test(node.data) ? lines(node, colors) : [];
  };

  /** One pseudo element for each drawn line of a text. */
  const lines = (node, colors) => {
    const found = [], range = new Range();
    for (const { index, 0: word } of node.data.matchAll(/\S+/g)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const box = range.getBoundingClientRect(), last = found.at(-1);
      if (!box.width) continue;
      if (last && Math.abs(last.top - box.top) < 2) {
        last.text += ` ${word}`;
        last.width = box.right - last.left;
      } else {
        found.push({
          tag: "t", ...place(box), id: "", classes: "", ref: -++texts, ...colors, text: word,
          children: [],
        });
      }
    }
    return found;
  };
  let texts = 0;

  const place = ({ left, top, width, height }) => ({ left, top, width, height });
  const stamp = () => `e${WOB.WOB_EPISODE_ID}`;
  const tagOf = ({ tagName, type }) => (tagName === "INPUT" ? `INPUT_${type}` : tagName.toUpperCase());

  const refOf = (element) => {
    const { dataset } = element;
    if (dataset.wob_eps !== stamp() || !dataset.wob_ref) {
      dataset.wob_ref = (episode?.refs ?? [null]).push(element) - 1;
      dataset.wob_eps = stamp();
    }
    return Number(dataset.wob_ref);
  };

  // The page begins ----------------------------------------------------------------------------------

  wrap.replaceChildren(query, area);
  listen.call(start, "click", () => core.startEpisodeReal());
  listen.call(window, "load", () => document.body.addEventListener("click", (event) => {
    core.canvasDrawClick(event);
  }));
  listen.call(window, "click", ({ target }) => {
    if (target.dataset) target.dataset.tampered = stamp();
  }, true);
  // A lane begins another episode without loading the page again, unless a script was at work here.
  listen.call(window, "rehearsal:again", (event) => {
    const changed = Object.keys(methods).some((name) => core[name] !== methods[name]);
    if (spoilt || changed || replaced() || gathered.length) return;
    event.preventDefault();
    history.replaceState(null, "", event.detail);
    readAddress();
    WOB.WOB_EPISODE_ID = 0;
    episodes.textContent = "0";
    rewards.length = 0;
    board.style.display = "";
    for (const place of [lastReward, meanReward]) {
      place.textContent = "-";
      place.style.color = "";
    }
    if (episode) episode.judged = episode.over = true;
    core.startEpisode();
  });

  for (const name of ["randi", "randf", "sample", "shuffle", "chance", "several", "text", "make",
    "svg", "page"]) {
    Object.defineProperty(core, name, { writable: false, configurable: false });
  }
  const { EPISODE_MAX_TIME, QueryString, ...methods } = core;
  defineProperty(window, "core", { __proto__: null, value: core, enumerable: true });
  lockAll();
})();
