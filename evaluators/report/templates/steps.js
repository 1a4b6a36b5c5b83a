// The steps of an episode: what the model was shown, what it replied, what was done.
let shown = null, frame = 0;

const letters = (number) => count(store.texts[number].reduce((sum, line) => sum + store.lines[line].length + 1, -1), "character");

const message = (each, call, open = false) => {
  text(each.text);
  const note = each.new ? letters(each.text) : `${letters(each.text)}, sent before`;
  return folded(each.role, note, open, () => long(each.text, `${each.role} message of ${call.purpose}`));
};

// What is as usual is left out of a frame, and short texts that come again stand there by number.
const USUAL = {
  frame: { text: null, capped: false, step: null, action: "", target: "", error: "" },
  call: { kind: "call", before: null, reply: [], tools: null, tokens: [null, null], seconds: null, note: "", policy: "" },
  event: { kind: "event", text: null },
  level: { change: "", text: null },
};
const numbered = (number) => (number === undefined ? "" : text(number));
const level = (each) => ({ ...USUAL.level, ...each });
const unpacked = (each) => ({
  ...USUAL.frame, ...each, url: numbered(each.url), title: numbered(each.title),
  stack: (each.stack ?? []).map(level), active: each.active ? level(each.active) : null,
  happened: (each.happened ?? []).map((one) => ("purpose" in one
    ? { ...USUAL.call, ...one, settings: numbered(one.settings), messages: (one.messages ?? []).map((message) => ({ new: true, ...message })) }
    : { ...USUAL.event, ...one, details: numbered(one.details) })),
});

// A prompt is stored as what it adds to the last one for the same purpose.
const whole = (packed) => {
  const frames = packed.map(unpacked), prompts = new Map();
  for (const call of frames.flatMap((each) => each.happened).filter((each) => each.kind === "call" && each.before !== null)) {
    const before = (prompts.get(call.purpose) ?? []).slice(0, call.before);
    call.messages = [...before.map((each) => ({ ...each, new: false })), ...call.messages];
    prompts.set(call.purpose, call.messages);
  }
  return frames;
};

const asked = (call) => {
  const [sent, received] = call.tokens;
  const figures = [];
  if (sent !== null) figures.push(`${sent.toLocaleString("en")} + ${(received ?? 0).toLocaleString("en")} tokens`);
  if (call.seconds !== null) figures.push(call.seconds < 1 ? `${(1000 * call.seconds).toFixed(1)} ms` : `${call.seconds.toFixed(2)} s`);
  if (call.settings) figures.push(call.settings);
  const box = make("section", "call", make("h5", "", make("span", "chip model", call.purpose), " ", call.policy ? make("span", "chip event", call.policy) : "", " ", make("span", "quiet", figures.join(" · "))));
  if (call.before === null) box.append(make("p", "quiet", "The prompt of this call cannot be shown."));
  const before = call.messages.slice(0, -1), label = before.some((each) => !each.new) ? "earlier messages" : "instructions and examples";
  if (before.length) {
    box.append(folded(label, count(before.length, "message"), false, () => make("div", "earlier", ...before.map((each) => message(each, call)))));
  }
  box.append(...call.messages.slice(-1).map((each) => message(each, call, true)));
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
  if (each.action && shown?.view.curve?.no_return === each.step) box.append(make("p", "notice bad", "After this step the scenario could not be solved any more."));
  return each.picture ? framed(box, each, index) : box;
};

// What the progress curve has for a step: the progress that it reached, and whether it was a point of no return.
const turning = (each, curve) => {
  if (!each.action || !curve) return [];
  const reached = curve.progress.findLast(([at]) => at === each.step);
  const chips = reached ? [make("span", "chip succeeded", `progress ${reached[1].toFixed(2)}`)] : [];
  return curve.no_return === each.step ? [...chips, make("span", "chip error", "no return")] : chips;
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
  turnedTo(frame);
  if (focus) history.replaceState(null, "", `#${shown.key}${frame === opening(shown.row, frames.length) ? "" : `?step=${frame + 1}`}`);
};

// Scrolls the list of steps and never the page.
const reveal = (item) => {
  const list = at("steps");
  if (item.offsetTop < list.scrollTop) list.scrollTop = item.offsetTop;
  else if (item.offsetTop + item.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = item.offsetTop + item.offsetHeight - list.clientHeight;
};
