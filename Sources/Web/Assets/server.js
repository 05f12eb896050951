// Talks with the server. Its answers are shown as they are; an error is a sentence of its own.
import { say } from "./actions.js";
import { apply, book, keepWaiting, redraw } from "./book.js";
import { refreshDetails } from "./details.js";
import { reload } from "./load.js";

const base = document.documentElement.dataset.base ?? "/";

export const path = (rest) => base + rest;

/** A refusal of the server, or a line that broke (status 0). */
export class Fault extends Error {
  constructor(status, error) {
    super(error?.message ?? (status === 0 ? "The book cannot be reached." : `The server answered ${status}.`));
    this.status = status;
    this.field = error?.field ?? null;
    this.stale = status === 404 && !error; // the key is of a server that has ended
  }
}

async function ask(rest, options) {
  let answer;
  try {
    answer = await fetch(base + rest, options);
  } catch {
    throw new Fault(0);
  }
  const body = await answer.json().catch(() => null);
  if (!answer.ok) throw new Fault(answer.status, body?.error);
  return body;
}

export function get(rest, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const tail = new URLSearchParams(given).toString();
  return ask(`api/${rest}${tail ? `?${tail}` : ""}`);
}

export const post = (rest, body) =>
  ask(`api/${rest}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

/** Carries out a command; the same request twice is done once, so a broken line may be tried again. */
export async function command(body) {
  const request = { request: crypto.randomUUID(), ...body };
  try {
    return await post("do", request);
  } catch (fault) {
    if (fault.status !== 0) throw fault;
    await new Promise((go) => setTimeout(go, 400));
    return post("do", request);
  }
}

// The live stream: what other processes and devices write appears by itself.

const build = document.documentElement.dataset.build;
let stream = null;
let wait = 0; // seconds before the next try
let again = 0; // timers
let alarm = 0;
let rest = 0;

export function listen() {
  hush();
  if (!book.route || document.hidden && rest === -1) return;
  const query = new URLSearchParams({ view: book.route.view });
  if (book.route.find) query.set("find", book.route.find);
  if (book.route.sort) query.set("sort", book.route.sort);
  if (book.at) query.set("at", book.at);
  if (book.data?.revision) query.set("since", book.data.revision);
  const mine = new EventSource(path(`api/events?${query}`));
  stream = mine;
  const on = (event, act) => mine.addEventListener(event, (message) => {
    if (stream !== mine) return;
    act(JSON.parse(message.data || "{}"), message.lastEventId);
  });
  on("hello", (hello) => {
    if (build && hello.build && hello.build !== build) location.reload();
    connected();
  });
  on("steps", ({ ops }, revision) => {
    const sections = apply(book.data.sections, ops);
    if (!sections) return void reload();
    keepWaiting(book.data.sections, ops);
    book.data = { ...book.data, sections, revision: revision || book.data.revision };
    news(revision);
  });
  on("rest", (members, revision) => {
    book.data = { ...book.data, ...members, sections: book.data.sections };
    if (members.status) book.status = members.status;
    news(revision);
  });
  on("counts", (nav, revision) => {
    const entries = book.data.nav.entries;
    book.data = { ...book.data, nav: { ...book.data.nav, ...nav } };
    if (book.route.view === "history" && nav.entries !== entries) reload();
    news(revision);
  });
  on("status", (status) => { book.status = status; redraw(); });
  on("said", ({ words }) => say(words));
  on("reload", () => reload());
  on("bye", () => lost());
  mine.onerror = () => { if (stream === mine) lost(); };
}

/** Closes the stream without a word, for another view. */
export function hush() {
  clearTimeout(again);
  stream?.close();
  stream = null;
}

function news(revision) {
  redraw();
  refreshDetails(revision);
}

function connected() {
  wait = 0;
  clearTimeout(alarm);
  alarm = 0;
  if (book.connected && !book.stale) return;
  book.connected = true;
  book.stale = false;
  redraw();
}

function lost() {
  hush();
  alarm ||= setTimeout(() => { book.connected = false; redraw(); }, 5000);
  wait = Math.min(wait === 0 ? 1 : wait * 2, 30);
  again = setTimeout(retry, wait * 1000);
}

/** A server that was started again knows no address of before, and answers 404. */
async function retry() {
  try {
    await get("view/settings");
  } catch (fault) {
    if (fault.stale) {
      clearTimeout(alarm);
      book.connected = false;
      book.stale = true;
      redraw();
    }
    return lost();
  }
  listen();
}

// A hidden tab gives its connection back after half a minute: a browser has six for each host.
document.addEventListener("visibilitychange", () => {
  clearTimeout(rest);
  if (document.hidden) {
    rest = setTimeout(() => { rest = -1; hush(); }, 30000);
  } else if (rest === -1) {
    rest = 0;
    wait = 0;
    listen();
  }
});
addEventListener("pagehide", hush);
addEventListener("pageshow", (event) => { if (event.persisted) reload(); });
