// The line on which everything is added. The server reads it; chips show what it understood.
import { act } from "./actions.js";
import { book, redraw } from "./book.js";
import { h, icon } from "./dom.js";
import { post } from "./server.js";

const fresh = () => ({ text: "", kind: null, priority: "normal", list: null, plain: false, read: null, fault: null, shown: false });
let quick = fresh();
let turn = 0;
let timer = 0;

export const resetQuick = () => { quick = fresh(); turn += 1; };
export const showQuick = (text) => { quick.shown = true; if (text !== undefined) quick.text = text; redraw(); focusQuick(); };
export const focusQuick = () => document.querySelector(".add .text")?.focus();
export const quickShown = () => quick.shown;

const kinds = () => book.data.add.kinds;
const kind = () => quick.kind ?? quick.read?.kind ?? kinds()[0];

function change(changes, now = false) {
  Object.assign(quick, changes, { fault: null });
  if (quick.text.trim() === "") Object.assign(quick, { read: null, plain: false, kind: null });
  redraw();
  clearTimeout(timer);
  const mine = ++turn;
  if (quick.text.trim() === "") return;
  timer = setTimeout(async () => {
    const asked = quick.kind ?? (kinds().length > 1 ? "any" : kinds()[0]);
    const read = await post("read", { text: quick.text, kind: asked }).catch(() => null);
    if (mine !== turn || !read) return; // an older answer than the line
    quick.read = read;
    redraw();
  }, now ? 0 : 120);
}

async function add(event) {
  event.preventDefault();
  const { text, priority, plain } = quick;
  clearTimeout(timer);
  const mine = ++turn;
  const chosen = kind();
  const body = { command: "add", kind: chosen, text };
  if (plain) body.plain = true;
  if (chosen === "todo") {
    if (priority !== "normal") body.priority = priority;
    const list = target();
    if (list) body.list = list;
  }
  if (chosen === "choice") body.question = book.data.question.id;
  try {
    const answer = await act(body, { strict: true });
    if (!answer || mine !== turn) return;
    quick = { ...fresh(), shown: quick.shown, list: quick.list };
    redraw();
    focusQuick();
  } catch (fault) {
    quick.fault = fault.message;
    redraw();
  }
}

const target = () => quick.list ?? book.data.add.list ?? "";

export function quickAdd() {
  const { add: line } = book.data;
  if (!line) return null;
  const noun = line.placeholder;
  return h("form.add.pair", { key: "add", onsubmit: add, autocomplete: "off", "aria-label": "Quick add", novalidate: true },
    h("div.edge", icon("plus")),
    h("div.what",
      h("input.text", {
        name: "text", value: quick.text, placeholder: noun, "aria-label": noun, maxlength: 12000, enterkeyhint: "done", dir: "auto",
        "aria-invalid": quick.fault ? "true" : null, "aria-describedby": quick.fault ? "add-fault" : null, readOnly: !book.connected,
        oninput: (event) => change({ text: event.target.value }),
      }),
      h("p.fault", { id: "add-fault", role: "alert" }, quick.fault ?? quick.read?.fault),
      quick.text.trim() !== "" && chips(line)));
}

function chips(line) {
  const todo = kind() === "todo";
  const choose = (name) => (event) => change({ [name]: event.target.value }, true);
  return [
    line.kinds.length > 1 && h("fieldset.seg.small", { key: "kinds" }, h("legend.sr", "What to add"),
      line.kinds.map((one) => option("add-kind", one, WORDS[one] ?? one, kind() === one, choose("kind")))),
    todo && h("fieldset.seg.small", { key: "priorities" }, h("legend.sr", "Priority"),
      ["high", "normal", "low"].map((one) => option("add-priority", one, [h("i", { class: `dot ${one}` }), WORDS[one]], quick.priority === one, choose("priority")))),
    h("div.chips", { key: "more" },
      !quick.plain && (quick.read?.parts ?? []).map((part) => h("button", {
        key: `${part.field}${part.from}`, class: "chip", "aria-label": `${part.words}: take as text`,
        onclick: () => { change({ plain: true }, true); focusQuick(); },
      }, part.words, icon("close"))),
      todo && line.lists && h("select.chip", { key: "list", "aria-label": "List", value: target(), onchange: (event) => change({ list: event.target.value }, true) },
        h("option", { value: "" }, "on no list"),
        book.data.nav.lists.map((list) => h("option", { key: list.id, value: list.id }, `to ${list.title}`)))),
  ];
}

const WORDS = { todo: "To-do", birthday: "Birthday", list: "List", question: "Question", high: "High", normal: "Normal", low: "Low" };

/** One of a few, as a radio that looks like a part of a bar. */
export const option = (group, value, words, checked, onchange, disabled = false) =>
  h("label.opt", { key: value }, h("input", { type: "radio", name: group, value, checked, onchange, disabled }), h("span", words));
