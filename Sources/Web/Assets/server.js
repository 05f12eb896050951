// Communicates with the server: requests, commands, and the event stream. Messages from the server are shown unchanged.
import { apply, book, keepWaiting, readOnly, redraw, reload } from "./book.js";
import { refreshDetails } from "./forms.js";
import { say, tell } from "./page.js";

const { base = "/", build } = document.documentElement.dataset;
export const path = (rest) => base + rest;

export const tail = (query) => {
  const given = new URLSearchParams(Object.entries(query).filter(([, value]) => (value ?? "") !== "")).toString();
  return given && `?${given}`;
};

/** An error with the status of the answer; 0 if there was no answer. */
const fault = (status, error) => Object.assign(
  new Error(error?.message ?? (status ? `The server answered ${status}.` : "The book cannot be reached.")),
  { status, stale: status === 404 && !error },
);

async function ask(rest, options) {
  const answer = await fetch(path(`api/${rest}`), options).catch(() => { throw fault(0); });
  const body = await answer.json().catch(() => null);
  if (!answer.ok) throw fault(answer.status, body?.error);
  return body;
}

export const get = (rest, query = {}) => ask(rest + tail(query));
export const post = (rest, body) =>
  ask(rest, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

/** Sends a command. Shows a refusal, or with `strict` throws it to the calling form. */
export async function act(body, { quiet, strict } = {}) {
  if (readOnly()) return void say(book.at ? "The past is read only." : "Not connected; nothing was changed.", true);
  const request = { request: crypto.randomUUID(), ...body };
  try {
    // The server carries out a repeated request only once, so it is safe to retry after a connection error.
    const answer = await post("do", request).catch((broken) => {
      if (broken.status) throw broken;
      return new Promise((go) => setTimeout(go, 400)).then(() => post("do", request));
    });
    if (!quiet) tell(answer);
    // The stream sends the changes; if it is slow, load the view again.
    setTimeout(() => { if (book.data.revision !== answer.revision) reload(); }, 400);
    return answer;
  } catch (refusal) {
    if (strict) throw refusal;
    say(refusal.message, true);
    if (refusal.status === 409) reload();
  }
}

export const remove = (id) => act({ command: "delete", id });
export const undo = (step) => act({ command: "undo", step });

export async function setDone({ id }, done) {
  book.done.set(id, done);
  redraw();
  await act({ command: "done", id, done });
  setTimeout(() => { book.done.delete(id); redraw(); }, 450);
}

let stream;
// The number of seconds until the next attempt to connect.
let wait = 0;
let again, alarm, rest;

export function listen() {
  hush();
  const { route, at, data } = book;
  const mine = stream = new EventSource(path(`api/events${tail({ ...route, at, since: data?.revision })}`));
  const on = (event, hear) => mine.addEventListener(event, ({ data: text, lastEventId }) => {
    if (stream === mine) hear(JSON.parse(text || "{}"), lastEventId);
  });
  const change = (changes, revision) => {
    Object.assign(book, { data: { ...book.data, ...changes } });
    if (revision) book.data.revision = revision;
    redraw();
    refreshDetails(revision);
  };
  on("hello", (hello) => {
    if (hello.build !== build) location.reload();
    wait = 0;
    alarm = clearTimeout(alarm);
    if (!book.connected) Object.assign(book, { connected: true, stale: false });
    if (book.fault) reload();
    redraw();
  });
  on("steps", ({ ops }, revision) => {
    const sections = apply(book.data.sections, ops);
    if (!sections) return reload();
    keepWaiting(book.data.sections, ops);
    change({ sections }, revision);
  });
  on("rest", (members, revision) => {
    book.status = members.status ?? book.status;
    change({ ...members, sections: book.data.sections }, revision);
  });
  on("counts", (counts, revision) => {
    const { nav } = book.data;
    if (route.view === "history" && counts.entries !== nav.entries) reload();
    change({ nav: { ...nav, ...counts } }, revision);
  });
  on("status", (status) => { book.status = status; redraw(); });
  on("said", ({ words }) => say(words));
  on("reload", reload);
  on("bye", lost);
  mine.onerror = () => stream === mine && lost();
}

export function hush() {
  clearTimeout(again);
  stream?.close();
  stream = null;
}

function lost() {
  hush();
  alarm ??= setTimeout(() => { book.connected = false; redraw(); }, 5000);
  wait = Math.min(wait * 2 || 1, 30);
  again = setTimeout(() => get("view/settings").then(listen, ({ stale }) => {
    if (stale) Object.assign(book, { connected: false, stale });
    redraw();
    lost();
  }), wait * 1000);
}

// A hidden tab closes its connection after half a minute, because browsers allow only six for each host.
document.onvisibilitychange = () => {
  if (document.hidden) rest = setTimeout(() => { rest = 0; hush(); }, 30000);
  else if (rest === 0) listen();
  else clearTimeout(rest);
};
window.onpagehide = hush;
window.onpageshow = ({ persisted }) => persisted && reload();
