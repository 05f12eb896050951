// Everything about one record: its fields, saved as they change, and its history.
import { act, remove, say } from "./actions.js";
import { book, readOnly, redraw } from "./book.js";
import { h, icon, name } from "./dom.js";
import { focusRow, neighbour } from "./keys.js";
import { go, href } from "./load.js";
import { option } from "./quickadd.js";
import { get } from "./server.js";
import { broad, keyTable } from "./settings.js";

let opener = null;
let turn = 0;

/** These views are as broad as two columns; details stand in the dialog there. */
const roomy = () => /^(history|conflicts|devices|settings)/.test(book.route?.view ?? "settings");
export const inSheet = () => book.open !== null && (roomy() || !broad());
export const besideLeaf = () => !roomy();

export async function openDetails(id, from) {
  const mine = ++turn;
  try {
    const item = await get(`item/${id}`, { at: book.at });
    if (mine !== turn) return;
    opener = from;
    book.open = { id, item, faults: {} };
    redraw();
    document.getElementById("details-name")?.focus();
  } catch (fault) {
    if (mine === turn) say(fault.message, true);
  }
}

export function closeDetails({ focus = true } = {}) {
  turn += 1;
  if (!book.open) return false;
  const { id } = book.open;
  book.open = null;
  if (!focus) return true;
  redraw();
  if (opener?.isConnected) opener.focus();
  else focusRow(document.querySelector(`main [data-id="${CSS.escape(id)}"]`)?.dataset.row);
  opener = null;
  return true;
}

/** What came meanwhile may be about this record. */
export async function refreshDetails(revision) {
  if (!book.open || revision && revision === book.open.item.revision) return;
  const mine = ++turn;
  const { id } = book.open;
  try {
    const item = await get(`item/${id}`, { at: book.at });
    if (mine !== turn || book.open?.id !== id) return;
    book.open = { ...book.open, item };
    redraw();
  } catch (fault) {
    if (mine === turn && fault.status === 404) closeDetails();
  }
}

async function save(field, value) {
  const { open } = book;
  field.value = value;
  try {
    await act({ command: "edit", id: open.id, fields: { [field.name]: value } }, { strict: true });
    delete open.faults[field.name];
  } catch (fault) {
    open.faults[field.name] = fault.message;
  }
  redraw();
}

async function erase() {
  const { id } = book.open;
  const row = document.querySelector(`main [data-id="${CSS.escape(id)}"]`);
  const next = row && neighbour(row.dataset.row);
  if (!(await remove(id))) return;
  closeDetails({ focus: false });
  redraw();
  if (book.route.view.endsWith(`/${id}`)) go(href(book.route.view.startsWith("list/") ? "lists" : "choose"));
  else focusRow(next);
}

export function details() {
  const { id, item, faults } = book.open;
  const still = readOnly();
  const button = (words, onclick, kind = "") => h("button", { class: `btn ${kind}`, disabled: still, onclick }, words);
  return [
    h("div.top", { key: "top" }, h("p.meta", item.kindWords),
      h("button.round", { "aria-label": "Close the details", onclick: () => closeDetails() }, icon("close"))),
    h("h2.name", { key: "name", id: "details-name", tabindex: -1 }, name(item.title)),
    item.conflict && h("p.meta", { key: "conflict" }, h("a.btn.small", { href: href("conflicts") }, icon("conflicts"), "In conflict: settle it")),
    h("div", { key: `fields-${id}`, class: "fields" }, item.fields.map((field) =>
      control(field, { still: still || item.deleted, fault: faults[field.name], save: (value) => save(field, value) }))),
    item.history.length > 0 && h("section", { key: `story-${id}`, "aria-labelledby": "story" }, h("h3", { id: "story" }, "Its history"),
      h("ol.story", item.history.map((step, at) => h("li", { key: `${step.instant}${at}` },
        h("time.meta", { datetime: step.instant }, step.when),
        h("div", name(step.words), h("span.meta", ` · ${step.device}`),
          step.restore && !still && h("div", h("button.btn.small", {
            "aria-label": `Restore this: ${step.words}`, onclick: () => act({ command: "edit", id, fields: step.restore }),
          }, "Restore this"))))))),
    h("div.deeds", { key: "deeds" },
      item.move && [button("Move up", () => act({ command: "move", id, by: -1 })), button("Move down", () => act({ command: "move", id, by: 1 }))],
      item.deleted ? button("Restore", () => act({ command: "restore", id })) : button("Delete", erase, "danger")),
  ];
}

// One field of a record as the control of its type; it is saved when it changes.

const INPUTS = { line: "text", day: "text", tags: "text", date: "date", weight: "number", colour: "color" };

export function control(field, { still, fault, save }) {
  const id = `field-${field.name}`;
  const hint = fault ?? field.hint;
  const shared = {
    id, class: "field", disabled: still, initial: field.value, "aria-invalid": fault ? "true" : null,
    "aria-describedby": hint ? `${id}-hint` : null, onchange: (event) => save(event.target.value),
  };
  return h("div", { key: field.name }, KINDS[field.type]?.(field, shared, save, still) ?? [
    h("label", { for: id }, field.label),
    h("input", { ...shared, type: INPUTS[field.type] ?? "text", min: field.type === "weight" ? 0 : null, dir: "auto" }),
  ],
  hint && h("p", { class: fault ? "fault" : "meta", id: `${id}-hint`, role: fault ? "alert" : null }, hint));
}

const radios = (field, shared, save, still) => h("fieldset", { "aria-describedby": shared["aria-describedby"] },
  h("legend", field.label),
  h("div.seg", field.options.map(({ value, words }) => option(shared.id, value,
    [field.type === "priority" && h("i", { class: `dot ${value}` }), words], field.value === value, () => save(value), still))));

const KINDS = {
  priority: radios,
  leap: radios,
  lines: (field, shared) => [h("label", { for: shared.id }, field.label), h("textarea", { ...shared, rows: 3, dir: "auto" })],
  list: (field, shared) => [h("label", { for: shared.id }, field.label),
    h("select", shared, field.options.map(({ value, words }) => h("option", { key: value, value }, words)))],
  flag: (field, shared, save, still) => h("label.radio", h("input", {
    type: "checkbox", checked: field.value === "true", disabled: still, onchange: (event) => save(event.target.checked ? "true" : ""),
  }), field.label),
};

// The dialog: the details where there is no third column, all keys, and how to add a device.

/** Shows "keys" or "invite". */
export function showSheet(what) {
  book.sheet = { what, from: document.activeElement };
  redraw();
}

function close() {
  if (!book.sheet) return closeDetails();
  const { from } = book.sheet;
  book.sheet = null;
  redraw();
  from.focus();
}

const titled = (title, ...kids) => [
  h("div.top", h("h2.name", { id: "sheet-name", tabindex: -1 }, title),
    h("button.round", { "aria-label": "Close", onclick: close }, icon("close"))),
  ...kids,
];

export function sheet() {
  const what = book.sheet?.what ?? (inSheet() ? "details" : null);
  return h("dialog.details", {
    key: "sheet", "aria-labelledby": what === "details" ? "details-name" : "sheet-name",
    oncancel: (event) => { event.preventDefault(); close(); },
    onclick: (event) => { if (event.target.localName === "dialog") close(); },
  },
  what === "keys" && titled("Keys", keyTable()),
  what === "invite" && titled("Add a device",
    h("p.meta", "On this machine, in a window that stays open; then the invitation, good for ten minutes:"),
    (book.data.invite ?? []).map((line) => h("code.words", { key: line }, line)),
    h("p.meta", "It prints what to say on the other machine.")),
  what === "details" && details());
}

/** Opens or closes the dialog as what was drawn wants it. */
export function settleSheet() {
  const dialog = document.querySelector("dialog");
  const wanted = book.sheet !== null || inSheet();
  if (wanted && !dialog.open) {
    dialog.showModal();
    dialog.scrollTop = 0;
    dialog.querySelector("h2")?.focus();
  } else if (!wanted && dialog.open) {
    dialog.close();
  }
}
