// What the reader does to the book: one command, its receipt with Undo, and a look when the stream is slow.
import { book, readOnly, redraw } from "./book.js";
import { h, icon } from "./dom.js";
import { reload } from "./load.js";
import { command } from "./server.js";

/** Carries a command out. A refusal is told, or thrown to the form that asked for it. */
export async function act(body, { quiet = false, strict = false } = {}) {
  if (readOnly()) {
    tell({ said: book.at ? "The past is read only." : "Not connected; nothing was changed." });
    return null;
  }
  try {
    const answer = await command(body);
    if (!quiet) tell(answer);
    // The stream brings what changed; where it does not in time, the view is read again.
    setTimeout(() => { if (book.data?.revision !== answer.revision) reload(); }, 400);
    return answer;
  } catch (fault) {
    if (strict) throw fault;
    say(fault.message, true);
    if (fault.status === 409) reload();
    return null;
  }
}

export async function setDone(row, done) {
  book.done.set(row.id, done);
  redraw();
  await act({ command: "done", id: row.id, done });
  setTimeout(() => { book.done.delete(row.id); redraw(); }, 450);
}

export const remove = (id) => act({ command: "delete", id });
export const undo = (step) => act(step ? { command: "undo", step } : { command: "undo" });

// One sentence at the foot of the page, with Undo; it stays twelve seconds, and longer under hand or focus.

const STAY = 12000;
let shown = null; // { said, undo }
let held = false;
let timer = 0;

/** The receipt of a command of the reader. */
export function tell(receipt) {
  shown = receipt;
  start();
}

/** News from elsewhere does not push an Undo away, a refusal does. */
export function say(words, refusal = false) {
  if (shown?.undo && !refusal) return;
  shown = { said: words };
  start();
}

function start() {
  clearTimeout(timer);
  timer = setTimeout(() => { if (held) start(); else close(); }, STAY);
  redraw();
}

function close() {
  clearTimeout(timer);
  shown = null;
  held = false;
  redraw();
}

const hold = (state) => () => { held = state; };

export const toast = () =>
  h("div.toast", { key: "toast", role: "status", "aria-live": "polite" }, shown && h("div", {
    onpointerenter: hold(true), onpointerleave: hold(false), onfocusin: hold(true), onfocusout: hold(false),
  },
  h("p", shown.said),
  shown.undo && h("button.btn", { onclick: () => { const step = shown.undo; close(); undo(step); } }, "Undo"),
  h("button.round", { "aria-label": "Close the message", onclick: close }, icon("close"))));
