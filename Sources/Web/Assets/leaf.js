// The leaf of every view: head, what the view has of its own, sections, the empty state, the folio.
import { say } from "./actions.js";
import { book, order, readOnly, redraw } from "./book.js";
import { conflicts } from "./conflicts.js";
import { openDetails, showSheet } from "./details.js";
import { h, icon, picture } from "./dom.js";
import { gradient } from "./gradient.js";
import { timeline } from "./history.js";
import { go, here, href } from "./load.js";
import { answer } from "./question.js";
import { focusQuick, option, quickAdd, quickShown, showQuick } from "./quickadd.js";
import { rowList } from "./rows.js";
import { post } from "./server.js";
import { broad, dark, preference, settings } from "./settings.js";
import { shape } from "./shell.js";

export function leaf() {
  const { data } = book;
  if (book.fault && !data) return h("div.leaf", head({ title: "daybook", line: book.fault }));
  if (book.fault) return h("div.leaf", head({ title: "Not here", line: book.fault, back: "" }));
  const kind = data.view.split("/")[0];
  return h("div.leaf", { key: data.view }, head(data.head), OWN[kind]?.(data) ?? [quickAdd(), parts(data)],
    data.empty && empty(data.empty), h("p.folio", { key: "folio" }, h("span.sr", "Entry "), data.folio));
}

/** What a view shows between its head and its folio, where that is more than quick add and sections. */
const OWN = {
  list: (data) => [tools(search(data)), quickAdd(), parts(data)],
  lists: (data) => [parts(data), data.add && (quickShown() ? quickAdd() : tools(h("button.btn", {
    disabled: readOnly(), onclick: () => showQuick(),
  }, icon("plus"), "New list")))],
  birthdays: (data) => [tools(data.sections.length > 0 && sorts(data.sort)), quickAdd(), parts(data)],
  question: (data) => [parts(data), quickAdd(), answer(data)],
  history: (data) => [timeline(data), parts(data)],
  conflicts: (data) => conflicts(data),
  devices: (data) => [deviceTools(data), parts(data), digest(data)],
  settings: () => settings(),
};

const tools = (...kids) => kids.some(Boolean) && h("div.tools", { key: "tools" }, ...kids);

const sorts = (sort) => h("fieldset.seg", h("legend.sr", "Order"),
  [["next", "Next first"], ["name", "By name"]].map(([value, words]) =>
    option("sort", value, words, sort === value, () => go(href("birthdays", { sort: value === "name" ? value : null }), { replace: true, heading: false }))));

function head({ margin, under, title, line, back }) {
  const { view } = book.route;
  const id = book.fault ? null : book.data?.question?.id ?? (view.startsWith("list/") ? view.slice(5) : null);
  return h("header.head.pair", { key: "head" },
    h("div.edge",
      back !== null && back !== undefined && h("a.back", { href: href(back), "aria-label": "Back" }, icon("back")),
      margin && h("span.fig", view === "devices" ? shape(book.status?.state) : margin), under && h("span.under", under)),
    h("div.what",
      h("div.title-line", h("h1", { tabindex: -1, dir: "auto" }, title), id && h("button.round", {
        "aria-label": `Details of ${title}`, onclick: (event) => openDetails(id, event.currentTarget),
      }, icon("settings"))),
      line && h("p.line", line)));
}

/** On a broad page the last entries stand beside the leaf. */
const beside = (section) => section.key === "entries" && broad();

function parts(data) {
  const colour = data.head.colour;
  return data.sections.filter((section) => !beside(section) && section.rows.length > 0).map((section) => {
    const rows = colour ? order(section.rows) : section.rows;
    const tinted = colour && preference("rows") === "coloured";
    const colours = tinted ? gradient(colour, rows.length, dark()) : null;
    const inside = rowList({ rows }, `rows ${tinted ? "tint" : colour ? "calm" : ""}`.trim(), colours);
    inside.props.vars = colour ? { "--c": colour, ...(colours && { "--on": colours.on }) } : {};
    return section.title
      ? h("section.part", { key: section.key, "aria-label": section.title }, h("h2", section.title), inside)
      : h("div.part", { key: section.key }, inside);
  });
}

function empty({ picture: kind, sentence, hint, button }) {
  const deeds = {
    clear: clearSearch,
    add: () => (document.querySelector(".add .text") ? focusQuick() : showQuick()),
    demo: () => redraw(),
  };
  return h("div.empty", { key: "empty" }, picture(`pic-${kind}`, "picture"),
    h("p.say", sentence), hint && h("p.hint", hint),
    button && deeds[button.does] && h("button.btn", { onclick: deeds[button.does] }, button.words));
}

// The search of a list: the server finds, the address remembers.

let typed = null;
let timer = 0;

export function search(data) {
  if (data.empty && !book.route.find) return null;
  return h("div.search", { role: "search" }, icon("search"), h("input.field", {
    type: "text", "aria-label": "Search this list", placeholder: "Search this list", enterkeyhint: "search", dir: "auto",
    initial: book.route.find, oninput: (event) => find(event.target.value), "data-search": true,
  }));
}

function find(text) {
  typed = text;
  clearTimeout(timer);
  timer = setTimeout(() => go(href(here(), { find: typed.trim() }), { replace: true, heading: false }), 120);
}

export function clearSearch() {
  const field = document.querySelector("[data-search]");
  if (!field) return false;
  const had = field.value !== "";
  field.value = "";
  field.focus();
  if (had) find("");
  return had;
}

// Syncing now, adding a device, and the digest two people compare.

const sync = () => post("sync", {}).catch((fault) => say(fault.message, true));

export const deviceTools = (data) => h("div.tools", { key: "tools" },
  h("button.btn.main", { disabled: readOnly(), onclick: sync }, "Sync now"),
  data.invite && h("button.btn", { onclick: () => showSheet("invite") }, "Add a device"));

export const digest = (data) => data.digest && h("section.part", { key: "digest", "aria-label": "Digest" },
  h("h2", "The same words on two devices: the same book"),
  h("div.pair", h("div.edge"), h("p.what.serif", data.digest)));
