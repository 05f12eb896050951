// The keyboard. Single letters are dead where text is written, in dialogs, and when the reader switched them off.
import { remove, undo } from "./actions.js";
import { book, readOnly } from "./book.js";
import { closeDetails, showSheet } from "./details.js";
import { clearSearch } from "./leaf.js";
import { go, href, step, travel } from "./load.js";
import { focusQuick, showQuick } from "./quickadd.js";
import { preference } from "./settings.js";

const PLACES = { t: "", l: "lists", b: "birthdays", c: "choose", h: "history", x: "conflicts", d: "devices" };
const DELETABLE = ".todo, .list, .birthday, .question, .choice";
let goUntil = 0;

const writes = (target) => target.matches?.("textarea, select, [contenteditable], input:not([type=checkbox], [type=radio], [type=range])");

const SINGLE = {
  n: () => (document.querySelector(".add .text") ? focusQuick() : book.data?.add && showQuick()),
  j: () => walk(1),
  k: () => walk(-1),
  x: () => currentRow()?.querySelector(".check")?.click(),
  u: () => undo(),
  c: () => document.querySelector(".choose")?.click(),
  "/": () => document.querySelector("[data-search]")?.focus(),
  "[": () => step(-1),
  "]": () => step(1),
  0: () => book.at && travel(null, { heading: false }),
  "?": () => showSheet("keys"),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.defaultPrevented) return;
  const { key, target } = event;
  if (document.querySelector("dialog[open]")) return;
  if (key === "Escape") return leave(event);
  if (writes(target)) return;
  const row = currentRow();
  if (key === "Delete" && row?.matches(DELETABLE)) {
    event.preventDefault();
    if (row.dataset.id) remove(row.dataset.id);
  } else if (key === "Enter" && target.matches("[data-row] .check")) {
    event.preventDefault();
    row.querySelector("[data-title]").click();
  } else if (preference("keys") && (!event.repeat || "jk[]".includes(key))) {
    single(event);
  }
});

function single(event) {
  const { key, timeStamp } = event;
  if (timeStamp < goUntil && key in PLACES) {
    goUntil = 0;
    event.preventDefault();
    go(href(PLACES[key]));
  } else if (key === "g") {
    goUntil = timeStamp + 1200;
  } else if (SINGLE[key]) {
    goUntil = 0;
    event.preventDefault();
    SINGLE[key]();
  }
}

function leave(event) {
  const { target } = event;
  if (target.matches("[data-search]") && clearSearch()) return;
  if (closeDetails()) return;
  if (writes(target)) document.querySelector("h1")?.focus({ preventScroll: true });
}

// Keeps the focus: on the same thing where it still is, else on the next row, the previous one, quick add, the heading.

const rows = () => [...document.querySelectorAll("main [data-row]")];
const titleOf = (row) => row?.querySelector("[data-title]");
const byKey = (key) => document.querySelector(`main [data-row="${CSS.escape(key)}"]`);

/** The key of the row after this one, else of the one before. */
export function neighbour(key) {
  const keys = rows().map((row) => row.dataset.row);
  const at = keys.indexOf(key);
  return keys[at + 1] ?? keys[at - 1] ?? null;
}

export function focusRow(key) {
  const title = key && titleOf(byKey(key));
  (title ?? document.querySelector("main .add .text") ?? document.querySelector("h1"))?.focus();
}

export const currentRow = () => document.activeElement?.closest?.("main [data-row]") ?? null;

export function walk(by) {
  const all = rows();
  const at = all.indexOf(currentRow());
  const next = at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.max(0, Math.min(all.length - 1, at + by));
  const title = titleOf(all[next]);
  title?.focus();
  title?.scrollIntoView({ block: "nearest" });
}

/** Before the page is drawn: where the focus is, and where it could go. */
export function noteFocus() {
  const active = document.activeElement;
  if (!active || active === document.body) return null;
  const row = currentRow();
  const keys = row ? rows().map((one) => one.dataset.row) : [];
  return { active, keys, at: row ? keys.indexOf(row.dataset.row) : -1 };
}

/** After it was drawn: a focus that was lost goes to the nearest place. */
export function mendFocus(note) {
  if (!note || note.active.isConnected && !note.active.disabled) return;
  const now = document.activeElement;
  if (now && now !== document.body && now !== note.active) return;
  const near = note.at < 0 ? [] : [...note.keys.slice(note.at), ...note.keys.slice(0, note.at).reverse()];
  focusRow(near.find((key) => byKey(key)));
}

// A finger that pulls a row to the left deletes it; Undo brings it back. Scrolling comes first.

const FAR = 96;
let pull = null;

document.addEventListener("pointerdown", (event) => {
  const row = event.target.closest?.(".row.todo, .row.birthday, .row.list, .row.question, .row.choice");
  pull = event.pointerType === "touch" && row?.dataset.id && !readOnly() ? { row, id: row.dataset.id, x: event.clientX, y: event.clientY, on: false } : null;
});

document.addEventListener("pointermove", (event) => {
  if (!pull) return;
  const x = event.clientX - pull.x;
  if (!pull.on) {
    if (Math.abs(event.clientY - pull.y) > 12) pull = null;
    else if (x < -12) pull.on = true;
    return;
  }
  pull.far = x < -FAR;
  pull.row.classList.add("swipe");
  pull.row.classList.toggle("far", pull.far);
  pull.row.style.setProperty("--dx", `${Math.min(0, x)}px`);
});

function end(event) {
  if (!pull?.on) { pull = null; return; }
  const { row, id, far } = pull;
  pull = null;
  row.classList.remove("swipe", "far");
  row.style.removeProperty("--dx");
  if (event.type === "pointerup" && far) remove(id);
  const swallow = (click) => { click.preventDefault(); click.stopPropagation(); };
  addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", swallow, { capture: true }), 50);
}
document.addEventListener("pointerup", end);
document.addEventListener("pointercancel", end);
