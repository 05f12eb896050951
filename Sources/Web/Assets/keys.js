// Keyboard, focus and swipes. Single-letter shortcuts do nothing in text fields and dialogs, and can be switched off.
import { book, find, go, href, prefers, readOnly, step, travel } from "./book.js";
import { closeDetails, showQuick, showSheet } from "./forms.js";
import { clearSearch } from "./page.js";
import { remove, undo } from "./server.js";

const PLACES = { t: "", l: "lists", b: "birthdays", c: "choose", h: "history", x: "conflicts", d: "devices" };
const DELETABLE = ".todo, .list[data-id], .birthday, .question, .choice";
const TEXT = "textarea, select, input:not([type=checkbox], [type=radio], [type=range])";
let goUntil = 0;

const SINGLE = {
  n: showQuick,
  j: () => walk(1),
  k: () => walk(-1),
  x: () => currentRow()?.querySelector(".check")?.click(),
  u: () => undo(),
  c: () => find(".choose")?.click(),
  "/": () => find("[data-search]")?.focus(),
  "[": () => step(-1),
  "]": () => step(1),
  0: () => book.at && travel(null, { heading: false }),
  "?": () => showSheet("keys"),
};

document.onkeydown = (event) => {
  const { key, target, timeStamp } = event;
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || find("dialog[open]")) return;
  const writes = target.matches(TEXT);
  const row = currentRow();
  let deed;
  if (key === "Escape") return leave(target, writes);
  if (writes) return;
  if (key === "Delete" && row?.matches(DELETABLE)) deed = () => remove(row.dataset.id);
  else if (key === "Enter" && target.matches(".check")) deed = () => titleOf(row).click();
  else if (prefers.keys && timeStamp < goUntil && key in PLACES) deed = () => go(href(PLACES[key]));
  else if (prefers.keys && key !== "g") deed = SINGLE[key];
  goUntil = key === "g" && prefers.keys ? timeStamp + 1200 : 0;
  if (!deed) return;
  event.preventDefault();
  deed();
};

function leave(target, writes) {
  if (target.matches("[data-search]") && clearSearch() || closeDetails()) return;
  if (writes) find("h1").focus({ preventScroll: true });
}

const rows = () => [...document.querySelectorAll("main [data-row]")];
const titleOf = (row) => row?.querySelector("[data-title]");
const byKey = (key) => key && find(`main [data-row="${CSS.escape(key)}"]`);
const currentRow = () => document.activeElement.closest("main [data-row]");

function walk(by) {
  const all = rows();
  const at = all.indexOf(currentRow());
  const title = titleOf(all[at < 0 && by < 0 ? all.length - 1 : Math.max(0, Math.min(all.length - 1, at + by))]);
  title?.focus();
  title?.scrollIntoView({ block: "nearest" });
}

export function neighbour(key) {
  const keys = rows().map((row) => row.dataset.row);
  const at = keys.indexOf(key);
  return keys[at + 1] ?? keys[at - 1];
}

const touch = matchMedia("(pointer: coarse)");

/** Puts the focus on a row; on touch screens, it avoids text fields, which would open the keyboard. */
export const focusRow = (key, how) => (titleOf(byKey(key)) ?? (touch.matches ? null : find("main .add .text")) ?? find("h1"))?.focus(how);

// The key of the row that last had the focus.
let last;

/** Called before the page is drawn: notes where the focus is, and the rows to which it could move. */
export function noteFocus() {
  const active = document.activeElement;
  const row = currentRow();
  const keys = row ? rows().map((one) => one.dataset.row) : [];
  const at = keys.indexOf(row?.dataset.row);
  if (row) last = row.dataset.row;
  return { active, told: !!active.closest(".toast"), near: at < 0 ? [] : [...keys.slice(at), ...keys.slice(0, at).reverse()] };
}

/** Called after it is drawn: moves a lost focus to the next or previous row, the line for adding, or the heading; from a message, back to the last row. */
export function mendFocus({ active, told, near }) {
  if (active === document.body || active.isConnected && !active.disabled) return;
  const now = document.activeElement;
  if (now === document.body || now === active) told ? focusRow(last, { preventScroll: true }) : focusRow(near.find(byKey));
}

// Swiping a row to the left deletes it, and Undo restores it. Scrolling takes precedence.
const FAR = 96;
let pull;

document.onpointerdown = ({ pointerType, target, clientX, clientY }) => {
  const row = target.closest(".row");
  pull = pointerType === "touch" && !readOnly() && row?.matches(DELETABLE) && { row, x: clientX, y: clientY };
};

document.onpointermove = ({ clientX, clientY }) => {
  if (!pull) return;
  const { row, x, y } = pull;
  if (!pull.on && Math.abs(clientY - y) > 12) pull = null;
  else if (pull.on ||= clientX < x - 12) {
    pull.far = clientX < x - FAR;
    row.classList.add("swipe");
    row.classList.toggle("far", pull.far);
    row.style.setProperty("--dx", `${Math.min(0, clientX - x)}px`);
  }
};

document.onpointerup = document.onpointercancel = ({ type }) => {
  if (!pull?.on) return;
  const { row, far } = pull;
  pull = null;
  row.classList.remove("swipe", "far");
  if (type === "pointerup" && far) remove(row.dataset.id);
};
