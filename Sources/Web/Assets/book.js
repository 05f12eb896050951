// The state of the page, the preferences of the user, and the functions that load and redraw the page.
import { close, closeDetails, refreshDetails, resetQuick } from "./forms.js";
import { get, hush, listen, path, tail } from "./server.js";
import { resetDraw } from "./views.js";

export const book = {
  // The view, search text, order, and whether a list shows all, in the address: { view, find, sort, show }.
  route: null,
  // The time that is shown; null means now.
  at: null,
  // The server's answer for the view.
  data: null,
  // The message if there is no answer.
  fault: null,
  status: null,
  connected: true,
  // Whether the server has been restarted with a new key.
  stale: false,
  // Whether each record is done, by id, until the server confirms it.
  done: new Map(),
  // The positions that rows keep for now, by row key.
  moved: new Map(),
  // The record in the details: { id, item, faults, scope }.
  open: null,
  // "keys" or "invite".
  sheet: null,
};

export const readOnly = () => book.at !== null || !book.connected;

let draw;
export const onDraw = (how) => { draw = how; };
export const redraw = () => draw();
export const find = (selector) => document.querySelector(selector);

// The browser stores only the preferences; without storage, they last until the page is closed.
const root = document.documentElement;
export const prefers = { theme: "auto", rows: "coloured", keys: true };
try {
  Object.assign(prefers, JSON.parse(localStorage.daybook));
} catch {}

export function prefer(name, value) {
  prefers[name] = value;
  try {
    localStorage.daybook = JSON.stringify(prefers);
  } catch {}
  if (prefers.theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = prefers.theme;
  redraw();
}

const system = matchMedia("(prefers-color-scheme: dark)");
const columns = matchMedia("(min-width: 960px)");
export const dark = () => (prefers.theme === "auto" ? system.matches : prefers.theme === "dark");
export const broad = () => columns.matches;
for (const look of [system, columns]) look.onchange = redraw;

export function apply(sections, ops) {
  const next = sections.map((section) => ({ ...section, rows: [...section.rows] }));
  const gone = ops.filter(({ op }) => op === "delete" || op === "move").map(({ from }) => from);
  gone.sort((a, b) => b.section - a.section || b.row - a.row);
  try {
    for (const { section, row } of gone) if (!next[section].rows.splice(row, 1).length) return null;
    for (const { op, from, to, row, section } of ops) {
      if (op === "delete-section") next.splice(from, 1);
      else if (op === "insert-section") next.splice(to, 0, { rows: [], ...section });
      else if (op !== "delete") {
        const { rows } = next[to.section];
        if (op === "update" ? rows[to.row].key !== row.key : to.row > rows.length) return null;
        rows.splice(to.row, op === "update" ? 1 : 0, row);
      }
    }
  } catch {
    return null;
  }
  return next;
}

// While a pointer is down, no row moves; otherwise, the click would hit a different row.
let pressed = false;
addEventListener("pointerdown", () => { pressed = true; }, true);
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => {
  pressed = false;
  if (book.moved.size) setTimeout(redraw);
}, true);

const focused = () => document.activeElement?.closest("[data-row]")?.dataset.row;

/** Keeps a row in place for three seconds if it was just marked as done, and for longer while it has the focus. */
export function keepWaiting(sections, ops) {
  for (const { op, from, row } of ops) {
    if (op !== "move") continue;
    const { rows } = sections[from.section];
    if (row.key !== focused() && rows[from.row].done === row.done) continue;
    const shown = order(rows).map(({ key }) => key);
    book.moved.set(row.key, { above: shown.slice(0, shown.indexOf(row.key)).reverse(), until: performance.now() + 3000 });
    setTimeout(redraw, 3050);
  }
}

export function order(rows) {
  const here = focused();
  for (const [key, { until }] of book.moved) if (performance.now() > until && key !== here && !pressed) book.moved.delete(key);
  const shown = rows.filter(({ key }) => !book.moved.has(key));
  for (const [key, { above }] of book.moved) {
    const row = rows.find((one) => one.key === key);
    const place = above.map((one) => shown.findIndex((other) => other.key === one)).find((at) => at >= 0) ?? -1;
    if (row) shown.splice(place + 1, 0, row);
  }
  return shown;
}

document.addEventListener("focusout", () => { if (book.moved.size) setTimeout(redraw); });

// Navigation: addresses, moments, and the focus on the heading.

let turn = 0;
// The address of the page that is shown or being loaded.
let shown;

/** The address of a page of the book, at the moment that is shown. */
export const href = (page, query = {}) => path(page) + tail({ at: book.at, ...query });

export const here = () => decodeURIComponent(location.pathname.slice(path("").length));

const query = () => Object.fromEntries(new URLSearchParams(location.search));

/** Loads and shows the page of the current address, or the answer that `ask` promises. */
async function show({ ask, heading, scroll, keep } = {}) {
  const mine = ++turn;
  shown = location.href;
  const { at = null, ...route } = query();
  route.view = here().replace(/^(list|todo)s\//, "$1/").replace(/^choose\//, "question/").replace(/^choose$/, "questions") || "today";
  const other = route.view !== book.route?.view;
  // Whether the server refused the page and sends no events.
  let deaf;
  if (!keep) hush();
  try {
    const past = route.view === "history";
    const [data, days] = await Promise.all([
      ask ?? (past ? readHistory({ around: at }) : get(`view/${route.view}`, { ...route, view: null, at })),
      past && (ask ? book.data : get("history/days")),
    ]);
    if (mine !== turn) return;
    if (ask) history.replaceState(null, "", path("history") + tail({ at: data.moment && data.instant }));
    shown = location.href;
    if (other) {
      closeDetails(false);
      resetQuick();
      resetDraw();
    }
    book.moved.clear();
    Object.assign(book, {
      route, data: { ...data, view: route.view, days: days.days }, status: data.status, fault: null,
      at: data.moment && (data.instant ?? data.at ?? at),
    });
  } catch ({ message, stale, status }) {
    if (mine !== turn || keep && !status) return;
    Object.assign(book, { route, at, fault: message });
    if (stale) Object.assign(book, { stale, connected: false });
    deaf = status;
  }
  redraw();
  if (scroll) scrollTo(0, 0);
  if (heading) find("h1").focus({ preventScroll: true });
  if (!deaf) listen();
  refreshDetails();
}

export const load = show;

export const reload = () => show({ keep: true });

const readHistory = (at) => get("history", { before: 9, after: 2, ...at });

/** Shows the time line at another moment, without adding to the browser's history. */
export const showMoment = (at) => show({ ask: readHistory(at) });

export async function go(address, { replace, heading = true } = {}) {
  await left;
  history[replace || history.state?.sheet ? "replaceState" : "pushState"](null, "", address);
  return show({ heading, scroll: heading });
}

// A sheet is an entry in the browser's history, so Back closes it without leaving the page.

// A promise of the step back after a sheet was closed, and its resolver.
let left, isLeft;

export const enterSheet = () => history.pushState({ sheet: true }, "");

export function leaveSheet() {
  if (!history.state?.sheet) return;
  left = new Promise((go) => { isLeft = go; });
  history.back();
}

/** Shows the same page at another moment; null means now. */
export const travel = (at, how) => go(location.pathname + tail({ ...query(), at }), how);

// The requested entry, for keys that are pressed before the answer arrives.
let aim = null;

/** Moves by one entry back or forward, in any view. */
export async function step(by) {
  const { folio, nav } = book.data;
  const n = (aim ?? (book.at ? folio : nav.entries)) + by;
  if (n < 0 || n > nav.entries) return;
  aim = n;
  const { instant } = n < nav.entries ? await get("history", { n, before: 0, after: 0 }) : {};
  if (aim === n) await travel(instant, { heading: false });
  if (aim === n) aim = null;
}

window.onpopstate = () => {
  if (isLeft) {
    isLeft();
    left = isLeft = null;
    return;
  }
  const open = find("dialog")?.open;
  if (open) close();
  if (!open || shown !== location.href) show({ heading: true });
};
document.onclick = (event) => {
  const link = event.target.closest("a[href]");
  if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (link.hash || !link.href.startsWith(location.origin + path(""))) return;
  event.preventDefault();
  go(link.href);
};
