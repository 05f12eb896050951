// Draws the page from the state in book.js: the frame around the leaf, the leaf, and its rows.
import { book, broad, dark, find, go, here, href, load, onDraw, order, prefer, prefers, readOnly, redraw, travel } from "./book.js";
import { h, icon, lazy, name, patch, picture } from "./dom.js";
import { details, openDetails, option, quickAdd, roomy, settleSheet, sheet, showQuick, showSheet } from "./forms.js";
import { gradient } from "./gradient.js";
import { mendFocus, noteFocus } from "./keys.js";
import { post, setDone, undo } from "./server.js";
import { answer, choiceMark, choiceRow, conflicts, timeline } from "./views.js";

/** The third column: the details of a record or, on Today, the latest entries. */
function column() {
  if (!broad() || roomy()) return null;
  if (book.open) return h("aside.details", { key: "aside", "aria-labelledby": "details-name" }, details());
  const { title, rows } = book.data?.sections.find(({ key }) => key === "entries") ?? {};
  return title && h("aside.details", { key: "entries", "aria-label": title }, h("h2", title), rowList(rows, "rows column"));
}

onDraw(() => {
  const note = noteFocus();
  document.title = `${book.data?.head.title ?? "Not found"} · daybook`;
  document.documentElement.classList.toggle("past", !!book.at);
  document.body.className = roomy() ? "roomy" : "";
  patch(document.body, [
    h("a.skip", { key: "skip", href: "#main" }, "Skip to the content"), bar(), side(),
    h("main", { key: "main", id: "main", tabindex: -1 }, banners(), leaf()), column(), tabs(), toast(), sheet(),
  ]);
  settleSheet();
  mendFocus(note);
});

// The frame around the leaf: bar, side, tabs, banners, and the toast with its Undo button.

const MAIN = ["", "lists", "birthdays", "choose"];
const FURTHER = ["history", "conflicts", "devices", "settings"];

const SHAPES = { alone: "in-step", behind: "sending", away: "offline", revoked: "trouble" };
export const shape = (state = "offline") => picture(SHAPES[state] ?? state, `shape ${state}`);

export function words(page) { return page ? page[0].toUpperCase() + page.slice(1) : "Today"; }
const count = (page) => ({ history: book.data?.nav.entries, conflicts: book.data?.nav.conflicts })[page] || null;

function bar() {
  const { state, words: told } = (book.connected && book.status) || { words: "not connected" };
  return h("header.bar", { key: "bar" },
    h("a.brand", { href: href("") }, icon("brand"), "daybook"),
    h("a.status", { href: href("devices") }, shape(state), h("span", told)));
}

function side() {
  const link = (to) => h("a", {
    href: href(to), "aria-current": here() === to ? "page" : null,
    class: to === "conflicts" && count(to) ? "alert" : to && here().startsWith(`${to}/`) ? "over" : null,
  }, icon(to || "today"), words(to), count(to) && h("span.n", count(to)));
  const lists = () => h("ul.sub", book.data?.nav.lists.map(({ id, title, colour, open }) => h("li", { key: id },
    h("a", { href: href(`lists/${id}`), "aria-current": here() === `lists/${id}` ? "page" : null },
      h("i.swatch", { vars: { "--c": colour } }), h("span", name(title)), open > 0 && h("span.n", open)))));
  return h("nav.side", { key: "side", "aria-label": "Book" },
    h("ul", MAIN.map((to) => h("li", { key: to }, link(to), to === "lists" && lists()))),
    h("hr"),
    h("ul", FURTHER.map((to) => h("li", { key: to }, link(to)))),
    h("button.keys", { onclick: () => showSheet("keys") }, "Keys", prefers.keys && h("kbd", "?")));
}

function tabs() {
  const [page] = here().split("/");
  return h("nav.tabs", { key: "tabs", "aria-label": "Pages" }, h("ul", [...MAIN, "settings"].map((to) => {
    const more = to === "settings";
    const inside = more ? FURTHER.includes(page) : page === to;
    return h("li", { key: to }, h("a", { href: href(to), "aria-current": here() === to ? "page" : inside ? "true" : null },
      icon(to || "today"), h("span", more ? "More" : words(to)),
      more && count("conflicts") && [h("i.spot"), h("span.sr", ", conflicts to settle")]));
  })));
}

const banners = () => [
  book.at && book.data && h("div.banner.past", { key: "past", role: "region", "aria-label": "The past" },
    h("p", h("b", "The book as it was"), ` ${book.data.moment.words}. Read only.`),
    h("button.btn.main", { onclick: () => travel(null) }, "Back to now")),
  h("div", { key: "off", role: "alert" }, !book.connected && h("div.banner.plain", h("p", book.stale
    ? "daybook was restarted. Open the address that it printed."
    : "Not connected, so this page may be out of date. If daybook has stopped, start it again and open the address that it prints."))),
];

// The message in the toast, and the command that its button undoes: { said, undo }.
let shown = null;
let timer;

/** Shows a message for twelve seconds, or longer while the pointer or the focus is on it. */
export function tell(receipt) {
  shown = receipt;
  clearTimeout(timer);
  timer = receipt && setTimeout(() => tell(find(".toast :hover, .toast :focus") && receipt), 12000);
  redraw();
}

/** Shows a text, unless it would replace an Undo button and is not a refusal. */
export function say(said, refusal) {
  if (refusal || !shown?.undo) tell({ said });
}

function toast() {
  const close = () => tell(null);
  return h("div.toast", { key: "toast", role: "status" }, shown && h("div",
    h("p", shown.said),
    shown.undo && h("button.btn", { onclick: () => { undo(shown.undo); close(); } }, shown.undid ? "Redo" : "Undo"),
    h("button.round", { "aria-label": "Close the message", onclick: close }, icon("close"))));
}

// The leaf of every view: the head, the parts of that view, the sections, the text of an empty view, and the number of the entry.

function leaf() {
  const { data, fault } = book;
  if (fault || !data) return h("div.leaf", head({ title: "Not found", line: fault, back: "" }));
  const own = OWN[data.view.split("/")[0]];
  return h("div.leaf", { key: data.view }, head(data.head), own ? own(data) : [quickAdd(), parts(data)],
    data.empty && empty(data.empty), h("p.folio", h("span.sr", "Entry "), book.at ? data.folio : data.nav.entries));
}

const OWN = {
  list: (data) => [tools(search(data)), quickAdd(), parts(data), rest(data)],
  lists: (data) => [parts(data), quickAdd() ?? tools(data.add && button(showQuick, icon("plus"), "New list"))],
  birthdays: (data) => [tools(data.sections.length > 0 && sorts(data.sort)), quickAdd(), parts(data)],
  question: (data) => [parts(data), quickAdd(), answer(data)],
  history: (data) => [timeline(data), parts(data)],
  conflicts,
  devices: (data) => [
    tools(h("button.btn.main", { disabled: !data.canSync || readOnly(), onclick: sync }, "Sync now"), data.invite && button(() => showSheet("invite"), "Add a device")),
    parts(data),
    data.digest && h("section.part", { "aria-label": "Digest" }, h("h2", "Devices with these words have the same records"),
      h("div.pair", h("div.edge"), h("p.what.serif", data.digest))),
  ],
  settings,
};

const button = (onclick, ...kids) => h("button.btn", { disabled: readOnly(), onclick }, ...kids);
const tools = (...kids) => kids.some(Boolean) && h("div.tools", ...kids);
const sync = () => post("sync", {}).catch(({ message }) => say(message, true));

export const choice = (legend, group, now, options, choose, disabled) => h("fieldset.seg", { key: group }, h("legend.sr", legend),
  options.map(([value, ...told]) => option(group, value, told, value === now, () => choose(value), disabled)));

const sorts = (now) => choice("Order", "sort", now, [["next", "Next first"], ["date", "By date"], ["name", "By name"]],
  (sort) => go(href("birthdays", { sort: sort === "next" ? null : sort }), { replace: true, heading: false }));

function head({ margin, under, title, line, back }) {
  const { view } = book.route;
  const id = !book.fault && (book.data.question?.id ?? book.data.list ?? book.data.todo);
  return h("header.head.pair", { key: "head" },
    h("div.edge", (back ?? null) !== null && h("a.back", { href: href(back), "aria-label": "Back" }, icon("back")),
      margin && h(margin.length > 2 ? "span.fig.long" : "span.fig", view === "devices" ? shape(book.status?.state) : margin), under && h("span.under", under)),
    h("div.what",
      h("div.title-line", h("h1", { tabindex: -1, dir: "auto" }, title),
        id && h("button.round", { "aria-label": `Details of ${title}`, onclick: (event) => openDetails(id, event.currentTarget) }, icon("settings"))),
      line && h("p.line", line), id && jump(book.data.parent)));
}

export const jump = (to) => to && h("p.line", h("a.btn.small", { href: href(`todos/${to.id}`) }, name(to.words)));

/** The sections; on a wide page, the latest entries are shown beside the leaf instead. */
function parts({ head: { colour }, sections }) {
  return sections.filter(({ key, rows }) => rows.length > 0 && !(key === "entries" && broad())).map(({ key, title, rows }) => {
    const shown = order(rows);
    const colours = colour && prefers.rows === "coloured" ? gradient(colour, rows.length, dark()) : null;
    const list = rowList(shown, `rows${colour ? (colours ? " tint" : " calm") : ""}`, colours);
    list.props.vars = { "--c": colour, "--on": colours?.on };
    return h("section.part", { key, "aria-label": title }, title && h("h2", title), list);
  });
}

function empty({ picture: kind, sentence, hint, button: offer }) {
  const does = { clear: clearSearch, add: showQuick }[offer?.does];
  return h("div.empty", picture(`pic-${kind}`, "picture"), h("p.say", sentence), hint && h("p.hint", hint),
    does && h("button.btn", { onclick: does }, offer.words));
}

/** The link to the to-dos that a list omits, or back to the others. */
const rest = ({ rest: told, showsAll }) => told && h("p.rest", { key: "rest" },
  h("a", { href: href(here(), { find: book.route.find, show: showsAll ? null : "all" }) }, told));

// The server searches, and the address contains the search text.
let soon;
const search = ({ empty: none }) => (!none || book.route.find) && h("div.search", { role: "search" }, icon("search"), h("input.field", {
  "aria-label": "Search this list", placeholder: "Search this list", dir: "auto", "data-search": true,
  initial: book.route.find ?? "", oninput: (event) => seek(event.target.value),
}));

function seek(text) {
  clearTimeout(soon);
  soon = setTimeout(() => go(href(here(), { find: text.trim(), show: book.route.show }), { replace: true, heading: false }), 120);
}

export function clearSearch() {
  const field = find("[data-search]");
  if (!field?.value) return false;
  field.value = "";
  field.focus();
  seek("");
  return true;
}

const KEYS = [
  ["g, then t l b c h x d", "Today, Lists, Birthdays, Choose, History, Conflicts, Devices"],
  ["n", "add"], ["/", "search"], ["j  k", "next row, previous row"], ["Enter", "details"],
  ["x", "done, not done"], ["Delete", "delete"], ["u", "undo"], ["c", "choose"],
  ["[  ]", "previous entry, next entry"], ["0", "back to now"], ["Esc", "close, clear, leave"], ["?", "keys"],
  ["+tag  @list  !high  due:fri  start:-3d  repeat:daily", "set fields in a new line; Backspace or \\ keeps them as text"],
];

export const keyTable = () => h("table.table", h("tbody", KEYS.map(([keys, does]) => h("tr", { key: keys }, h("th", { scope: "row" }, keys), h("td", does)))));

function settings() {
  const bar = (what, legend, options) => [h("h2", legend), choice(legend, what, prefers[what], options, (value) => prefer(what, value))];
  return h("div.settings",
    h("ul.links.narrow", FURTHER.slice(0, 3).map((to) => h("li", { key: to }, h("a", { href: href(to) }, icon(to), words(to), count(to) && h("span.n.meta", count(to)))))),
    bar("theme", "Theme", [["auto", "Auto"], ["light", "Light"], ["dark", "Dark"]]),
    bar("rows", "Rows of a list", [["coloured", "Coloured"], ["calm", "Calm"]]),
    h("h2", "Keys"),
    h("label.radio", h("input", { type: "checkbox", checked: prefers.keys, onchange: (event) => prefer("keys", event.target.checked) }), "Use single-key shortcuts"),
    keyTable());
}

// Rows of each kind: a time or a number to the left of the rule, and the record to the right.

/** A list of rows; a row is drawn again only if one of these values has changed. */
const rowList = (rows, kind, colours) => h("ul", { class: kind }, rows.map((row, at) => lazy(row.key, [
  row, colours?.rows[at], readOnly(), row.id && book.open?.id === row.id, book.done.get(row.id) ?? row.done, book.at,
  row.kind === "list" && dark(), row.kind === "choice" && choiceMark(row),
], oneRow)));

function oneRow(row, colour, still, open, done) {
  const { mark, edge = when(row), what } = (KINDS[row.kind] ?? plain)(row, still, done);
  return h("li", {
    class: ["row pair", row.kind, mark, open && "open"].filter(Boolean).join(" "),
    "data-row": row.key, "data-id": row.id, "aria-level": row.depth && row.depth + 1, vars: { "--row": colour }, "aria-current": mark === "current" ? "true" : null,
  }, h("div.edge", edge), h("div.what", ...what));
}

const when = ({ when: at }) => at && h(at.date ? "time" : "span", { datetime: at.date, class: at.tone }, at.text);

const opener = ({ id, title }) => h("button.title", { "data-title": true, onclick: (event) => openDetails(id, event.currentTarget) }, name(title));
const link = (to, ...words) => h("a.title", { "data-title": true, href: to }, ...words);
const label = (...words) => h("span.title", { "data-title": true, tabindex: -1 }, ...words);
const two = (title, note) => h("div.two", title, note && h("span.meta", { dir: "auto" }, note));
const warning = ({ conflict, title }) => conflict && h("a.warn", { href: href("conflicts"), "aria-label": `Conflict in ${title}` }, icon("conflicts"));
const swatch = (colour) => h("i.swatch", { vars: { "--c": colour } });

const KINDS = {
  todo: (row, still, done) => ({ mark: done && "done", what: [
    h("label.hit", h(done && row.cancelled ? "input.check.cancelled" : "input.check", {
      type: "checkbox", checked: done, disabled: still, "aria-label": `${done && row.cancelled ? words(row.when.text) : "Done"}: ${row.title}`, onchange: (event) => setDone(row, event.target.checked),
    })),
    row.priority !== "normal" && h("span.pri", h(`i.dot.${row.priority}`), h("span", { "aria-hidden": "true" }, row.priority[0].toUpperCase()), h("span.sr", `${row.priority} priority`)),
    opener(row), row.depth && h("span.sr", `sub-task of ${row.parentTitle}`),
    row.repeats && h("span.in", { title: row.repeats }, icon("repeat"), h("span.sr", row.repeats), row.missed), warning(row), row.list && h("span.in", swatch(row.list.colour), name(row.list.title)),
  ] }),
  list: ({ key, title, colour, open, preview }) => ({ mark: "card", edge: open || "–", what: [
    h("span.spine", { "aria-hidden": "true" }, gradient(colour ?? "#777777", 6, dark()).rows.map((deep) => h("i", { vars: { "--row": deep } }))),
    two(link(href(`lists/${key}`), name(title)), preview?.join(" · ") || "nothing yet"), icon("next"),
  ] }),
  birthday: (row) => {
    const [, before, age, after] = /^(.*?)(\d+)(.*)$/.exec(row.turns) ?? [];
    return { what: [two(opener(row), row.note), warning(row),
      h("div.turns.meta", age && h("div", before, h("b", age), after), row.in && h("div", row.in))] };
  },
  question: ({ id, title, note, answer }) => ({ mark: "card", edge: /\d+/.exec(note)?.[0] ?? "–", what: [
    two(link(href(`choose/${id}`), name(title)), answer ? `The answer was ${answer}` : note), icon("next"),
  ] }),
  choice: choiceRow,
  entry: ({ place, instant, verb, title, rest, undo: id, n }, still) => ({ mark: place, what: [
    two(link(href("history", { at: instant }), verb, " ", h("b", name(title))), rest),
    id && place && !still && h("button.btn.small", { "aria-label": `Undo: ${verb} ${title}`, onclick: () => undo(id) }, "Undo"),
    h("span.n", h("span.sr", "entry "), n),
  ] }),
  device: ({ title, note, state, stateWords, this: here }) => ({ what: [
    two(label(name(title), " ", here && h("span.pill", "this device")), note), h("span.state", shape(state), stateWords),
  ] }),
  strip: ({ title, note }) => ({ edge: icon("conflicts"), what: [two(link(href("conflicts"), title), note), icon("next")] }),
};

const plain = ({ title, note }) => ({ what: [two(label(name(title)), note)] });

load();
