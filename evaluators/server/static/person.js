// The page never rebuilds the form of an open request: each keeps its own, whatever the queue does.
"use strict";
(() => {
  const forms = new Map(); // id -> {root, field, draft, send, gone}
  const sent = new Set();
  let open = [];
  let chosen = "";

  const byId = (id) => document.getElementById(id);

  function make(tag, attributes = {}, ...inside) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...inside.filter((each) => each !== ""));
    return made;
  }

  // The queue -----------------------------------------------------------------------------------

  function waited(since) {
    const seconds = Math.max(0, Math.round((Date.now() - Date.parse(since)) / 1000));
    if (seconds < 60) return `${seconds} s`;
    return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
  }

  function entry(each) {
    const time = make("time", { datetime: each.asked_at }, waited(each.asked_at));
    const trial = each.trial ? `, trial ${each.trial}` : "";
    const made = make("button", { type: "button", class: "entry", "data-id": each.id },
      make("b", {}, each.purpose || "request", time),
      make("span", {}, each.agent), make("span", {}, each.scenario + trial),
      make("span", { class: "mark" }));
    made.addEventListener("click", () => choose(each.id));
    return make("li", {}, made);
  }

  function drawQueue() {
    const list = byId("queue");
    const left = [...forms.values()].filter((form) => form.gone).map((form) => form.asked);
    const shown = [...left, ...open.filter((each) => !sent.has(each.id))];
    const there = new Map([...list.children].map((item) => [item.firstChild.dataset.id, item]));
    for (const [id, item] of there) if (!shown.some((each) => each.id === id)) item.remove();
    shown.forEach((each, at) => {
      const item = there.get(each.id) || entry(each);
      if (list.children[at] !== item) list.insertBefore(item, list.children[at] || null);
      item.firstChild.setAttribute("aria-current", String(each.id === chosen));
      item.querySelector("time").textContent = waited(each.asked_at);
      item.querySelector(".mark").textContent = mark(each);
    });
    const waiting = shown.length - left.length;
    byId("count").textContent = waiting;
    document.title = `${waiting ? `(${waiting}) ` : ""}Answer as the model · Rehearsal`;
  }

  function mark(each) {
    if (forms.get(each.id)?.gone) return "not open any more";
    if (each.error) return "last reply refused";
    return forms.get(each.id)?.draft() || kept(each.id) ? "draft" : "";
  }

  function update(found) {
    open = found;
    for (const each of open) {
      if (!each.error || !sent.delete(each.id)) continue;
      forms.get(each.id)?.refuse(each.error);
    }
    for (const [id, form] of forms) {
      if (open.some((each) => each.id === id)) continue;
      if (form.draft() && !sent.has(id)) form.close();
      else drop(id);
    }
    for (const id of sent) if (!open.some((each) => each.id === id)) sent.delete(id);
    if (!chosen) next();
    drawQueue();
  }

  function drop(id) {
    forms.get(id)?.root.remove();
    forms.delete(id);
    sessionStorage.removeItem(key(id));
    if (id === chosen) chosen = "";
  }

  function next() {
    const one = open.find((each) => !sent.has(each.id));
    if (one) return choose(one.id);
    chosen = "";
    byId("request").hidden = true;
    byId("idle").hidden = false;
    return undefined;
  }

  async function choose(id) {
    chosen = id;
    drawQueue();
    for (const [other, form] of forms) form.root.hidden = other !== id;
    const asked = forms.has(id) ? null : await load(id);
    if (asked && !forms.has(id)) forms.set(id, build(asked));
    if (chosen !== id) return;
    if (!forms.has(id)) {
      chosen = ""; // it is gone; the next look at the queue chooses another
      return;
    }
    byId("idle").hidden = true;
    byId("request").hidden = false;
    forms.get(id).root.hidden = false;
    forms.get(id).shown();
  }

  async function load(id) {
    try {
      const answer = await fetch(`request?id=${encodeURIComponent(id)}`);
      return answer.ok ? await answer.json() : null;
    } catch {
      return null; // the queue says that the run cannot be reached
    }
  }

  // A request -----------------------------------------------------------------------------------

  function words(content) {
    if (typeof content === "string") return content;
    if (!Array.isArray(content)) return "";
    return content.filter((part) => !pictureOf(part)).map((part) => part.text ?? `[${part.type}]`).join("\n");
  }

  function pictureOf(part) {
    const url = part.image_url?.url ?? "";
    return url.startsWith("data:image/") ? url : "";
  }

  function pictures(content) {
    const urls = Array.isArray(content) ? content.map(pictureOf).filter((url) => url) : [];
    return urls.map((src) => make("img", { src, alt: "the page as it looks" }));
  }

  function pretty(text) {
    try {
      return JSON.stringify(JSON.parse(text), null, 1);
    } catch {
      return text;
    }
  }

  function message(one, at) {
    const calls = (one.tool_calls || []).map(
      ({ function: call }) => `${call.name}(${pretty(call.arguments)})`,
    );
    const text = [words(one.content), ...calls].filter((each) => each !== "").join("\n");
    const role = ["system", "user", "assistant", "tool"].includes(one.role) ? one.role : "user";
    const title = role === "assistant" ? "assistant (replied before)" : one.role;
    return make("article", { class: `message ${role}`, "aria-label": `${at + 1}: ${one.role}` },
      make("h3", {}, title, make("span", { class: "number" }, `${text.length.toLocaleString("en")} characters`)),
      make("pre", {}, text), ...pictures(one.content));
  }

  function about(asked) {
    const trial = asked.trial ? `, trial ${asked.trial}` : "";
    const parts = [`${asked.agent} on ${asked.scenario}${trial}`];
    if (asked.n > 1) parts.push(`asks for ${asked.n} samples; you give one`);
    if (asked.stop?.length) parts.push(`a text ends before ${asked.stop.map((each) => JSON.stringify(each)).join(" or ")}`);
    if (asked.max_completion_tokens) parts.push(`at most ${asked.max_completion_tokens} tokens`);
    return make("header", { class: "about" }, make("h2", {}, asked.purpose || "request"),
      ...parts.map((each) => make("p", {}, each)));
  }

  function build(asked) {
    const thread = make("div", { class: "thread", tabindex: "0", role: "region", "aria-label": "Messages" },
      ...asked.messages.map(message));
    const form = reply(asked);
    form.root = make("div", { class: "one", hidden: "" }, about(asked), thread, form.element);
    byId("request").append(form.root);
    let seen = false;
    form.shown = () => {
      if (!seen) thread.scrollTop = thread.scrollHeight;
      seen = true;
      form.focus();
    };
    return form;
  }

  // A reply -------------------------------------------------------------------------------------

  const key = (id) => `${location.pathname}${id}`;

  function kept(id) {
    return sessionStorage.getItem(key(id));
  }

  function reply(asked) {
    const tools = (asked.tools || []).map((tool) => tool.function);
    const forced = asked.tool_choice?.function?.name;
    const kinds = [
      ...tools.filter((tool) => !forced || tool.name === forced).map(call),
      ...(forced ? [] : [plain(tools.length)]),
    ];
    const error = make("p", { class: "error", role: "alert", hidden: "" });
    const button = make("button", { type: "submit" }, "Send reply");
    const send = make("div", { class: "send" }, button, make("span", {}, make("kbd", {}, "Ctrl"), " + ", make("kbd", {}, "Enter")));
    const element = make("form", { class: "reply", "aria-label": "Your reply", novalidate: "" },
      make("h3", {}, "Your reply"), chooser(kinds, () => (show(), keep(), made.refuse(""))), ...kinds.map((kind) => kind.element), error, send);
    const now = () => kinds.find((kind) => kind.name === (element.elements["reply-kind"]?.value ?? kinds[0].name));
    const show = () => kinds.forEach((kind) => (kind.element.hidden = kind !== now()));
    const draft = () => kinds.some((kind) => kind.filled());
    const keep = () => {
      if (!draft()) return sessionStorage.removeItem(key(asked.id));
      const drafts = kinds.map((kind) => [kind.name, kind.draft()]);
      return sessionStorage.setItem(key(asked.id), JSON.stringify({ kind: now().name, drafts }));
    };
    const made = { asked, element, draft, gone: false };
    made.refuse = (text) => {
      error.textContent = text;
      error.hidden = !text;
    };
    made.close = () => {
      if (made.gone) return;
      made.gone = true;
      button.disabled = true;
      const away = make("button", { type: "button", class: "next" }, "Let it go");
      away.addEventListener("click", () => (drop(asked.id), next(), drawQueue()));
      send.replaceChildren(make("p", { class: "notice" },
        "This request is not open any more: it was answered elsewhere, or its run has ended. What you wrote was not sent."), away);
    };
    made.focus = () => now().focus();
    restore(element, kinds, kept(asked.id));
    show();
    made.refuse(asked.error);
    element.addEventListener("input", () => (keep(), drawQueue()));
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey || event.target.matches("input"))) return;
      event.preventDefault();
      if (event.ctrlKey || event.metaKey) element.requestSubmit();
    });
    element.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (made.gone || button.disabled) return;
      button.disabled = true;
      try {
        const problem = await post(asked.id, now().read());
        made.refuse(problem);
        if (problem) made.focus();
        else done(asked.id);
      } catch (fault) {
        made.refuse(fault instanceof BadField ? fault.message
          : "The reply was not sent: the run cannot be reached. It stays here; send it again.");
      } finally {
        button.disabled = made.gone;
      }
    });
    return made;
  }

  function done(id) {
    sessionStorage.removeItem(key(id));
    sent.add(id);
    forms.get(id).root.hidden = true;
    chosen = "";
    next();
    drawQueue();
  }

  async function post(id, text) {
    const answer = await fetch("reply", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ id, reply: text }),
    });
    if (answer.ok) return "";
    if (answer.status === 410) forms.get(id).close();
    return (await answer.json()).error;
  }

  function chooser(kinds, changed) {
    if (kinds.length < 2) return "";
    const labels = kinds.map((kind, at) => {
      const radio = make("input", { type: "radio", name: "reply-kind", value: kind.name });
      radio.checked = at === 0;
      radio.addEventListener("change", changed);
      return make("label", {}, radio, make("span", {}, kind.label));
    });
    return make("fieldset", { class: "kinds" }, make("legend", {}, "Call a function, or reply in words"), ...labels);
  }

  function restore(element, kinds, text) {
    if (!text) return;
    const { kind, drafts } = JSON.parse(text);
    const found = new Map(drafts);
    kinds.forEach((each) => found.has(each.name) && each.restore(found.get(each.name)));
    for (const radio of element.querySelectorAll("[name=reply-kind]")) radio.checked = radio.value === kind;
  }

  function plain(tools) {
    const area = make("textarea", { class: "long", name: "reply-text", "aria-label": "Text of the reply", spellcheck: "false",
      placeholder: "Write what the model would reply" });
    return {
      name: "", label: "Text", element: make("div", { class: "kind" }, area),
      read: () => area.value,
      draft: () => area.value,
      filled: () => area.value !== "",
      restore: (text) => (area.value = text),
      focus: () => area.focus({ preventScroll: true }),
    };
  }

  class BadField extends Error {}

  function call(tool) {
    const schema = tool.parameters || {};
    const required = new Set(schema.required || []);
    const named = Object.entries(schema.properties || {});
    const whole = !named.length && schema.additionalProperties !== false && schema.properties === undefined && tool.parameters;
    const fields = whole ? [field("arguments", { type: "object" }, true)]
      : named.map(([name, one]) => field(name, one === true ? {} : one, required.has(name)));
    const hints = [tool.description || "", fields.length ? "" : "It takes no arguments."].filter(Boolean);
    const element = make("div", { class: "kind" }, ...hints.map((each) => make("p", { class: "hint" }, each)),
      ...fields.map((each) => each.element));
    return {
      name: tool.name, label: tool.name, element,
      read: () => {
        const found = fields.map((each) => [each.name, each.read()]).filter(([, value]) => value !== undefined);
        const values = whole ? found[0]?.[1] ?? {} : Object.fromEntries(found);
        return JSON.stringify({ name: tool.name, arguments: values });
      },
      draft: () => Object.fromEntries(fields.map((each) => [each.name, each.input.value])),
      filled: () => fields.some((each) => each.input.value !== ""),
      restore: (drafts) => fields.forEach((each) => (each.input.value = drafts[each.name] ?? "")),
      focus: () => fields[0]?.input.focus({ preventScroll: true }),
    };
  }

  const READERS = {
    string: (text, required) => (text || required ? text : undefined),
    number: (text) => (text.trim() === "" ? undefined : Number.isFinite(Number(text)) ? Number(text) : text),
    json: (text, required, name) => {
      if (text.trim() === "") return undefined;
      try {
        return JSON.parse(text);
      } catch {
        throw new BadField(`${name} is no JSON; write a value such as "text", 3, [1, 2] or {"a": 1}`);
      }
    },
  };

  function field(name, schema, required) {
    const choices = schema.enum || (schema.type === "boolean" ? [true, false] : null);
    const simple = { string: "string", integer: "number", number: "number" }[schema.type];
    const kind = choices ? "json" : simple || "json";
    const input = choices ? select(choices) : box(kind);
    input.name = `argument-${name}`; // no name that a form has itself
    const type = choices ? "" : [schema.type].flat().filter(Boolean).join(" or ") || "JSON";
    const note = [type, required ? "" : "optional"].filter(Boolean).join(", ");
    const element = make("label", { class: "field" },
      make("b", {}, schema.title || name, note ? make("i", {}, note) : ""),
      schema.description ? make("p", { class: "hint" }, schema.description) : "", input);
    return { name, input, element, read: () => READERS[kind](input.value, required, name) };
  }

  function select(choices) {
    const options = choices.map((each) => make("option", { value: JSON.stringify(each) }, String(each)));
    return make("select", {}, make("option", { value: "" }, "choose"), ...options);
  }

  function box(kind) {
    if (kind === "number") return make("input", { type: "text", inputmode: "decimal", autocomplete: "off" });
    return make("textarea", { class: "short", rows: "1", spellcheck: "false" });
  }

  // The run ---------------------------------------------------------------------------------------

  function connected(is) {
    const link = byId("link");
    link.classList.toggle("lost", !is);
    const text = is ? "Connected to the run" : "The run cannot be reached: it has ended or was stopped";
    if (link.textContent !== text) link.textContent = text;
    byId("idle-title").textContent = is ? "No request is open" : "The run cannot be reached";
    byId("idle-text").textContent = is ? "The next one appears here by itself."
      : "It has ended or was stopped. A run that is started again has another address.";
  }

  async function follow() {
    let version = "new";
    for (;;) {
      const begun = Date.now();
      try {
        const answer = await fetch(`queue?after=${encodeURIComponent(version)}`);
        if (!answer.ok) throw new Error(answer.statusText);
        const found = await answer.json();
        connected(true);
        byId("run").textContent = found.run;
        version = found.version;
        update(found.requests);
      } catch {
        connected(false);
        await pause(2000);
      }
      await pause(Math.max(0, 200 - (Date.now() - begun)));
    }
  }

  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

  window.addEventListener("beforeunload", (event) => {
    if ([...forms.entries()].some(([id, form]) => !sent.has(id) && form.draft())) event.preventDefault();
  });
  setInterval(drawQueue, 5000);
  follow();
})();
