// Where the page is, and how it gets somewhere else: addresses, the answers for them, focus on the heading.
import { book, redraw } from "./book.js";
import { closeDetails, refreshDetails } from "./details.js";
import { readDays, readHistory } from "./history.js";
import { resetDraw } from "./question.js";
import { resetQuick } from "./quickadd.js";
import { get, hush, listen, path } from "./server.js";

const PAGES = { "": "today", choose: "questions" };
const turns = { count: 0 };

/** The address of a page of the book, in the past that is looked at. */
export function href(page, query = {}) {
  const given = { at: book.at, ...query };
  const tail = new URLSearchParams(Object.entries(given).filter(([, value]) => value)).toString();
  return path(page) + (tail ? `?${tail}` : "");
}

/** The page's own name for itself, as in its address. */
export const here = () => location.pathname.slice(path("").length);

function routeOf(address) {
  const page = decodeURIComponent(address.pathname.slice(path("").length));
  const view = PAGES[page] ?? page.replace(/^lists\//, "list/").replace(/^choose\//, "question/");
  const query = address.searchParams;
  return { view, find: query.get("find") ?? "", sort: query.get("sort") ?? "", at: query.get("at") };
}

function fetchView(route, at) {
  if (route.view !== "history") return get(`view/${route.view}`, { at, find: route.find, sort: route.sort });
  return Promise.all([readHistory({ around: at }), readDays()]).then(([history, days]) => ({ ...history, view: "history", days }));
}

/** Reads the view of the address and shows it. */
export async function load({ heading = true, scroll = false } = {}) {
  const turn = ++turns.count;
  const { at, ...route } = routeOf(new URL(location));
  const same = book.route?.view === route.view;
  hush();
  let data;
  try {
    data = await fetchView(route, at);
  } catch (fault) {
    if (turn === turns.count) fail(fault, route, at);
    return;
  }
  if (turn !== turns.count) return;
  if (!same) {
    closeDetails({ focus: false });
    resetQuick();
    resetDraw();
  }
  book.moved.clear();
  take(data, route, at);
  redraw();
  if (scroll) scrollTo(0, 0);
  if (heading) document.querySelector("h1")?.focus({ preventScroll: !scroll });
  listen();
  refreshDetails();
}

function take(data, route, at) {
  book.route = route;
  book.at = data.moment ? data.at ?? at : null;
  book.data = data;
  book.status = data.status;
  book.fault = null;
}

function fail(fault, route, at) {
  book.route = route;
  book.at = at;
  if (fault.stale) Object.assign(book, { stale: true, connected: false });
  book.fault = fault.message;
  redraw();
  if (fault.status === 0) listen();
}

/** The same view again, with what was written meanwhile. */
export async function reload() {
  const turn = ++turns.count;
  const { at, ...route } = routeOf(new URL(location));
  try {
    const data = await fetchView(route, at);
    if (turn !== turns.count) return;
    book.moved.clear();
    take(data, route, at);
    redraw();
    listen();
  } catch (fault) {
    if (turn === turns.count && fault.status !== 0) fail(fault, route, at);
  }
}

export function go(address, { replace = false, heading = true } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", address);
  return load({ heading, scroll: heading });
}

/** The same page at another moment; null is now. */
export function travel(at, options) {
  const query = new URLSearchParams(location.search);
  if (at) query.set("at", at);
  else query.delete("at");
  const tail = query.toString();
  return go(location.pathname + (tail ? `?${tail}` : ""), options);
}

/** The time line at another moment, without a word of its own in the browser's history. */
export async function showMoment(query) {
  const turn = ++turns.count;
  const { days } = book.data;
  const data = await readHistory(query).catch(() => null);
  if (turn !== turns.count || !data) return;
  const at = data.moment ? data.instant : null;
  history.replaceState(null, "", path("history") + (at ? `?${new URLSearchParams({ at })}` : ""));
  hush();
  take({ ...data, view: "history", days }, book.route, at);
  redraw();
  listen();
}

let aim = null; // the entry on the way to, for keys that come faster than answers

/** One entry back or on, from whatever view. */
export async function step(by) {
  const { folio, nav } = book.data;
  const n = (aim ?? folio) + by;
  if (n < 0 || n > nav.entries) return;
  aim = n;
  const { instant } = n < nav.entries ? await get("history", { n, before: 0, after: 0 }) : {};
  if (aim === n) await travel(instant ?? null, { heading: false });
  if (aim === n) aim = null;
}

addEventListener("popstate", () => load({ heading: true }));
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (link.origin !== location.origin || !link.pathname.startsWith(path("")) || link.hash) return;
  event.preventDefault();
  go(link.href);
});
