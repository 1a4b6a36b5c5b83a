// Requests. What a person does is told to the site in order, one request at a time; a commit is
// sent only after everything that was done before it.

let csrf = "";
let query = "";
let appraised = () => {};
let underWay = null;
let waiting = [];

/** `query` is the part of the address that names the visit; it goes along with every request.
 * `answered` takes what the site says of the values that it is told. */
export function connect(token, search, answered) {
  csrf = token;
  query = search;
  appraised = answered;
}

export const addressed = (path) => path + query;

/** What the site refused: `errors` by control, or a sentence and perhaps a way on. */
export class Refusal extends Error {
  constructor(status, reply) {
    super(reply.error || "");
    this.status = status;
    this.errors = reply.errors || {};
    this.address = reply.address || "";
    this.label = reply.label || "";
  }
}

const UNREACHABLE = "The desk cannot be reached. Check the connection and try again.";
const UNREADABLE = "The desk gave an answer that cannot be read. Try again.";
const LARGEST = 60_000;
const MOST_EVENTS = 100;

/** Note something for the journal without telling it yet. A field's newer value replaces the
 * one that still waits. */
export function note(event) {
  if (event.kind === "draft") {
    waiting = waiting.filter((old) => old.kind !== "draft" || old.field !== event.field
      || old.screen !== event.screen || old.subject !== event.subject);
  }
  waiting.push(event);
}

/** Tell the site what waits, unless it is being told something already: then it follows. */
export function tell() {
  underWay ??= telling().finally(() => {
    underWay = null;
  });
  return underWay;
}

async function telling() {
  while (waiting.length) {
    try {
      const text = await (await delivered("/api/events", {})).text(); // what is not read does not end
      if (text) heed(text);
    } catch { // no connection: the next commit takes them along, and says so where it fails
      return;
    }
  }
}

/** Pass a verdict on; a refusal of what was told is none. */
function heed(text) {
  const reply = JSON.parse(text);
  if (reply.problems) appraised(reply);
}

/** Post with the events that wait; they wait on where there is no connection. */
async function delivered(path, body) {
  const events = waiting.splice(0, MOST_EVENTS);
  try {
    return await post(path, { ...body, events });
  } catch (problem) {
    waiting.unshift(...events);
    throw problem;
  }
}

export async function read(address, signal) {
  await tell();
  return answer(await request(`/api${address}`, { signal }));
}

export async function commit(address, body) {
  await underWay;
  return answer(await delivered(`/api${address}`, body));
}

function post(path, body) {
  const text = JSON.stringify(body);
  return request(path, {
    method: "POST",
    body: text,
    keepalive: text.length < LARGEST,
    headers: { "Content-Type": "application/json", "X-CSRF-Token": csrf },
  });
}

async function request(path, options) {
  try {
    return await fetch(addressed(path), options);
  } catch (problem) {
    if (problem.name === "AbortError") throw problem;
    throw new Refusal(0, { error: UNREACHABLE });
  }
}

async function answer(response) {
  let reply;
  try {
    reply = await response.json();
  } catch {
    throw new Refusal(response.status, { error: UNREADABLE });
  }
  if (!response.ok) throw new Refusal(response.status, reply);
  return reply;
}
