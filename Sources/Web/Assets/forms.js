// The details of one record: its fields, which are saved when they change, and its history. Also the dialog.
import { book, broad, enterSheet, find, go, href, leaveSheet, readOnly, redraw } from "./book.js";
import { h, icon, name } from "./dom.js";
import { focusRow, neighbour } from "./keys.js";
import { choice, jump, keyTable, say, words } from "./page.js";
import { act, get, post } from "./server.js";

let opener;
// The id of the record whose details are being loaded.
let coming;
let turn = 0;

/** Whether the view is as wide as two columns; if so, details are shown in the dialog. */
export const roomy = () => /^(history|conflicts|devices|settings)/.test(book.route?.view);
const inSheet = () => book.open && (roomy() || !broad());
const rowOf = (id) => find(`main [data-id="${CSS.escape(id)}"]`);

async function read(id, kept) {
  const mine = ++turn;
  try {
    const item = await get(`item/${id}`, { at: book.at });
    if (mine !== turn) return false;
    book.open = { ...kept, id, item };
    redraw();
    return true;
  } catch ({ message, status }) {
    if (mine === turn && status === 404 && book.open) closeDetails();
    else if (!book.open) say(message, true);
  }
}

export async function openDetails(id, from) {
  coming = id;
  const isRead = await read(id, { faults: {} });
  if (coming === id) coming = null;
  if (!isRead) return;
  opener = from;
  find("#details-name").focus();
}

export function refreshDetails(revision) {
  if (book.open && !coming && (!revision || revision !== book.open.item.revision)) read(book.open.id, book.open);
}

export function closeDetails(focus = true) {
  coming = null;
  turn += 1;
  if (!book.open) return false;
  // A field that is being edited is saved when it loses the focus.
  if (document.activeElement.closest(".fields")) document.activeElement.blur();
  const { id } = book.open;
  book.open = null;
  if (!focus) return true;
  redraw();
  if (opener.isConnected) opener.focus();
  else focusRow(rowOf(id)?.dataset.row);
  return true;
}

async function save(field, value) {
  const { id, faults, scope } = book.open;
  if (field.name === "scope") return void (book.open.scope = value);
  field.value = value;
  try {
    await act({ command: "edit", id, fields: { [field.name]: value }, scope }, { strict: true });
    delete faults[field.name];
  } catch ({ message }) {
    faults[field.name] = { message, value };
  }
  redraw();
}

/** Performs an action that removes the record's row. */
async function leave(action) {
  const { id } = book.open;
  const row = rowOf(id);
  const next = row && neighbour(row.dataset.row);
  if (!(await act({ id, ...action }))) return;
  closeDetails(false);
  redraw();
  if (book.route.view.endsWith(id)) go(href(book.data.head.back));
  else focusRow(next);
}

export function details() {
  const { id, item, scope = "" } = book.open;
  const button = (words, onclick, kind = "") => h(`button.btn${kind}`, { disabled: readOnly(), onclick }, words);
  return [
    h("div.top", h("p.meta", item.kindWords), h("button.round", { "aria-label": "Close the details", onclick: closeDetails }, icon("close"))),
    h("h2.name", { id: "details-name", tabindex: -1 }, name(item.title)),
    jump(item.parent), jump(item.subtasks),
    item.conflict && h("a.btn.small", { href: href("conflicts") }, icon("conflicts"), "In conflict: settle it"),
    h("div.fields", { key: id }, item.scope && control({ ...item.scope, value: scope }), item.fields.map(control)),
    item.history.length > 0 && [h("h3", "History"), h("ol.story", item.history.map(({ instant, when, words, device, restore }) => h("li",
      h("time.meta", { datetime: instant }, when),
      h("div", name(words), h("span.meta", ` · ${device}`),
        restore && !readOnly() && h("div", h("button.btn.small", {
          "aria-label": `Restore this: ${words}`, onclick: () => act({ command: "edit", id, fields: restore, scope: item.scope && "all" }),
        }, "Restore this"))))))],
    h("div.deeds", item.actions.map(({ words, leaves, ...action }) =>
      button(words, () => (leaves ? leave(action) : act({ id, ...action })), action.command === "delete" ? ".danger" : ""))),
  ];
}

export const INPUTS = { date: "date", time: "time", weight: "number" };

function control(field) {
  const { name: key, label, type, value, options } = field;
  const { item, faults } = book.open;
  const id = `field-${key}`;
  const still = readOnly() || item.deleted;
  const fault = faults[key];
  const hint = fault?.message ?? field.hint;
  const shared = {
    id, disabled: still, initial: fault?.value ?? value, dir: "auto", "aria-invalid": fault ? "true" : null, "aria-describedby": hint && `${id}-hint`,
    onchange: (event) => save(field, event.target.value),
  };
  const few = type === "priority" || type === "leap";
  return h("div", { key },
    few ? h("p.label", { "aria-hidden": "true" }, label) : h("label", { for: id }, label),
    few && choice(label, id, value, options.map((one) => [one.value, type === "priority" && h(`i.dot.${one.value}`), one.words]), (next) => save(field, next), still),
    type === "lines" && h("textarea.field", { ...shared, rows: 3 }),
    type === "list" && h("select.field", shared, options.map((one) => h("option", { key: one.value, value: one.value }, one.words))),
    !/^(priority|leap|lines|list)$/.test(type) && h("input.field", { ...shared, type: type === "colour" ? "color" : INPUTS[type], min: 0, list: type === "todo" && `${id}-list` }),
    type === "todo" && h("datalist", { id: `${id}-list` }, options.map((one) => h("option", one))),
    hint && h(fault ? "p.fault" : "p.meta", { id: `${id}-hint`, role: fault ? "alert" : null }, hint));
}

export function showSheet(what) {
  book.sheet = what;
  opener = document.activeElement;
  redraw();
}

export function close() {
  if (!book.sheet) return closeDetails();
  book.sheet = null;
  redraw();
  opener.focus();
}

export function sheet() {
  const what = book.sheet;
  const titled = (title, ...kids) => [
    h("div.top", h("h2.name", { id: "details-name", tabindex: -1 }, title), h("button.round", { "aria-label": "Close", onclick: close }, icon("close"))), kids];
  return h("dialog.details", {
    key: "sheet", "aria-labelledby": "details-name",
    oncancel: (event) => { event.preventDefault(); close(); },
    onclick: (event) => { if (event.target.localName === "dialog") close(); },
  },
  what === "keys" && titled("Keys", keyTable()),
  what === "invite" && titled("Add a device", h("p.meta", "Run these two commands on this device, and leave the first one running:"),
    book.data.invite.map((line) => h("code.words", { key: line }, line)), h("p.meta", "The second one prints what to type on the other device.")),
  !what && inSheet() && details());
}

export function settleSheet() {
  const dialog = find("dialog");
  const wanted = book.sheet || inSheet();
  if (wanted && !dialog.open) {
    dialog.showModal();
    find("dialog h2").focus();
    enterSheet();
  } else if (!wanted && dialog.open) {
    dialog.close();
    leaveSheet();
  }
}

// The line that adds records. The server parses it, and chips show the result.

let quick, asked = 0, timer;
export const resetQuick = (more) => { quick = { text: "", kept: [], ...more }; asked += 1; };
resetQuick();

/** Puts the focus on the line, and shows it if it is hidden. */
export function showQuick() {
  if (!book.data.add) return;
  quick.shown = true;
  redraw();
  find(".add .text").focus();
}

const kind = () => quick.kind ?? quick.read?.kind ?? book.data.add.kinds[0];
// The parts of the line that was read last, without those that the user turned back into text.
const typed = ({ from, to }) => quick.seen.slice(from, to);
const parts = () => (!quick.plain && quick.read?.parts || []).filter((one) => !quick.kept.includes(typed(one)));
const part = (field) => parts().find((one) => one.field === field);
const list = () => part("list")?.value ?? quick.list ?? book.data.add.list ?? "";
const priority = () => part("priority")?.value ?? quick.priority ?? "normal";

function keep(one) {
  change({ kept: [...quick.kept, typed(one)] });
  showQuick();
}

/** Backspace after a part turns it back into text, and deletes nothing. */
function turnBack(event) {
  const { value, selectionStart: at, selectionEnd: end } = event.target;
  const before = event.key === "Backspace" && at === end && value === quick.seen && parts().find(({ to }) => to === at);
  if (!before) return;
  event.preventDefault();
  keep(before);
}

/** Sets a field with its control, in place of the words of the line. */
function choose(field, value) {
  const { text, seen, read } = quick;
  const old = text === seen && part(field);
  if (old) read.parts = read.parts.filter((one) => one !== old);
  change({ text: old ? text.slice(0, old.from).trimEnd() + text.slice(old.to) : text, [field]: value });
}

/** Sends the line to the server 120 ms after the last change; an answer to an older line is ignored. */
function change(changes) {
  Object.assign(quick, changes, { fault: null });
  const { text, plain, kept } = quick;
  const blank = !text.trim();
  if (blank) Object.assign(quick, { read: null, plain: false, kind: null, kept: [] });
  clearTimeout(timer);
  const mine = ++asked;
  const { kinds } = book.data.add;
  if (!blank) timer = setTimeout(async () => {
    const read = await post("read", { text, kept, kind: quick.kind ?? (kinds[1] ? "any" : kinds[0]) }).catch(() => null);
    if (mine !== asked) return;
    Object.assign(quick, { read, seen: text });
    redraw();
  }, 120);
  redraw();
}

async function add(event) {
  event.preventDefault();
  clearTimeout(timer);
  const mine = ++asked;
  const { text, plain, kept, shown } = quick;
  const todo = kind() === "todo" && { priority: priority(), list: list() || undefined };
  try {
    const done = await act({ command: "add", kind: kind(), text, plain, kept, question: book.data.question?.id, under: book.data.add.under, ...todo }, { strict: true });
    if (!done || mine !== asked) return;
    resetQuick({ shown, list: quick.list });
    showQuick();
  } catch ({ message }) {
    quick.fault = message;
    redraw();
  }
}

export function quickAdd() {
  const { add: line, view } = book.data;
  if (!line || view === "lists" && !quick.shown) return null;
  const { text, fault, read } = quick;
  return h("form.add.pair", { key: "add", onsubmit: add, autocomplete: "off", "aria-label": "Quick add" },
    h("div.edge", icon("plus")),
    h("div.what",
      h("input.text", {
        value: text, placeholder: line.placeholder, "aria-label": line.placeholder, dir: "auto", readOnly: readOnly(),
        "aria-invalid": fault ? "true" : null, "aria-describedby": "add-fault", oninput: (event) => change({ text: event.target.value }),
        onkeydown: turnBack,
        onblur: () => { if (quick.fault && !quick.text.trim()) change({}); },
      }),
      h("p.fault", { id: "add-fault", role: "alert" }, fault ?? read?.fault),
      text.trim() && chips(line)));
}

const PRIORITIES = ["high", "normal", "low"].map((one) => [one, h(`i.dot.${one}`), words(one)]);

function chips({ kinds, lists }) {
  const todo = kind() === "todo";
  return [
    kinds[1] && choice("What to add", "add-kind", kind(), [["todo", "To-do"], ["birthday", "Birthday"]], (value) => change({ kind: value })),
    todo && choice("Priority", "add-priority", priority(), PRIORITIES, (value) => choose("priority", value)),
    h("div.chips",
      !quick.plain && quick.read?.fault && h("button.chip", { key: "plain", onclick: () => { change({ plain: true }); showQuick(); } }, "keep as text"),
      parts().map((one) => h("button.chip", {
        key: one.from, "aria-label": `${one.words}: keep as text`, onclick: () => keep(one),
        onkeydown: ({ key }) => { if (key === "Backspace") keep(one); },
      }, one.words, icon("close"))),
      todo && lists && h("select.chip", { "aria-label": "List", value: list(), onchange: (event) => choose("list", event.target.value) },
        h("option", { value: "" }, "on no list"), book.data.nav.lists.map(({ id, title }) => h("option", { key: id, value: id }, `to ${title}`))),
      h("button.btn.small", { type: "submit" }, "Add")),
  ];
}

export const option = (group, value, told, checked, onchange, disabled) =>
  h("label.opt", { key: value }, h("input", { type: "radio", name: group, value, checked, onchange, disabled }), h("span", ...told));
