// One row of each kind. Left of the rule when or how much, right of it what.
import { setDone, undo } from "./actions.js";
import { book, readOnly } from "./book.js";
import { openDetails } from "./details.js";
import { h, icon, lazy, name } from "./dom.js";
import { gradient } from "./gradient.js";
import { href } from "./load.js";
import { choiceMark, choiceRow } from "./question.js";
import { dark } from "./settings.js";
import { shape } from "./shell.js";

/** The rows of a section; a row whose facts are the same is not even looked at. */
export function rowList(section, kind = "rows", colours = null) {
  return h("ul", { class: kind }, section.rows.map((row, place) => lazy(row.key,
    [row, colours?.rows[place] ?? null, readOnly(), book.open?.id === row.id, book.done.get(row.id) ?? null, book.at, row.kind === "list" && dark(), row.kind === "choice" && choiceMark(row)], oneRow)));
}

function oneRow(row, colour, still, open, done) {
  const make = KINDS[row.kind] ?? plain;
  const told = make(row, { still, done: done ?? row.done });
  const props = told.props;
  props["data-row"] = row.key;
  props["data-id"] = row.id ?? null;
  props.class = `row pair ${row.kind} ${props.class ?? ""}${open && row.id ? " open" : ""}`.trim();
  if (colour) props.vars = { "--row": colour };
  return told;
}

const line = (props, edge, ...what) => h("li", props, h("div.edge", edge), h("div.what", ...what));

const when = ({ when: at }) => at && h(at.date ? "time" : "span", { datetime: at.date ?? null, class: at.tone }, at.text);

const opener = (row, words) => h("button.title", { "data-title": true, onclick: (event) => openDetails(row.id, event.currentTarget) }, words);

const warning = (row) => row.conflict && h("a.warn", { key: "warn", href: href("conflicts"), "aria-label": `Conflict in ${row.title}` }, icon("conflicts"));

const KINDS = { todo, list, birthday, question, entry, device, strip, sync: plain, choice: (row, state) => choiceRow(row, state, line) };

function todo(row, { still, done }) {
  return line({ class: done ? "done" : null }, when(row),
    h("label.hit", h("input", {
      type: "checkbox", class: "check", checked: !!done, disabled: still, "aria-label": `Done: ${row.title}`,
      onchange: (event) => setDone(row, event.target.checked),
    })),
    row.priority && h("span.pri", h("i", { class: `dot ${row.priority}` }),
      h("span", { "aria-hidden": "true" }, row.priority[0].toUpperCase()), h("span.sr", `${row.priority} priority`)),
    opener(row, name(row.title)), warning(row),
    row.list && h("span.in", h("i.swatch", { vars: { "--c": row.list.colour ?? "" } }), name(row.list.title)));
}

function list(row) {
  const spine = gradient(row.colour ?? "#777777", 6, dark());
  return line({ class: "card" }, row.open > 0 ? row.open : "–",
    h("span.spine", { "aria-hidden": "true" }, spine.rows.map((colour) => h("i", { vars: { "--row": colour } }))),
    h("div.two", h("a.title", { "data-title": true, href: href(`lists/${row.id}`) }, name(row.title)),
      h("span.meta", row.preview?.length ? row.preview.join(" · ") : "nothing yet")),
    icon("next"));
}

function birthday(row) {
  const turns = /^(.*?)(\d+)(.*)$/.exec(row.turns ?? "");
  return line({}, when(row),
    h("div.two", opener(row, name(row.title)), h("span.meta", row.note)),
    warning(row),
    (row.turns || row.in) && h("div.turns.meta",
      turns && h("div", turns[1], h("b", turns[2]), turns[3]), row.in && h("div", row.in)));
}

function question(row) {
  const count = /\d+/.exec(row.note ?? "");
  return line({ class: "card" }, count ? count[0] : "–",
    h("div.two", h("a.title", { "data-title": true, href: href(`choose/${row.id}`) }, name(row.title)),
      h("span.meta", row.answer ? ["The answer was ", name(row.answer)] : row.note)),
    icon("next"));
}

function entry(row, { still }) {
  const now = row.place === "current";
  return line({ class: row.place, "aria-current": now ? "true" : null }, when(row),
    h("div.two",
      h("a.title", { "data-title": true, href: href("history", { at: row.instant }) }, row.verb, " ", h("b", name(row.title))),
      h("span.meta", name(row.rest ?? ""))),
    row.undo && row.place && !still && h("button.btn.small", { "aria-label": `Undo: ${row.verb} ${row.title}`, onclick: () => undo(row.undo) }, "Undo"),
    h("span.n", h("span.sr", "entry "), row.n));
}

function device(row) {
  return line({}, when(row),
    h("div.two", h("span.title", { "data-title": true, tabindex: -1 }, name(row.title), " ", row.this && h("span.pill", "this device")),
      h("span.meta", row.note)),
    h("span.state", shape(row.state), row.stateWords));
}

function strip(row) {
  return line({}, icon("conflicts"),
    h("div.two", h("a.title", { "data-title": true, href: href("conflicts") }, row.title), h("span.meta", name(row.note ?? ""))),
    icon("next"));
}

function plain(row) {
  return line({}, when(row), h("div.two",
    h("span.title", { "data-title": true, tabindex: -1 }, name(row.title)), row.note && h("span.meta", row.note)));
}
