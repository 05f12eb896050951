// One row of each kind: left of the rule when or how much, right of it what.
import { book, dark, href, readOnly } from "./book.js";
import { h, icon, lazy, name } from "./dom.js";
import { openDetails } from "./forms.js";
import { gradient } from "./gradient.js";
import { shape } from "./page.js";
import { setDone, undo } from "./server.js";
import { choiceMark, choiceRow } from "./views.js";

/** A row of which all facts are the same is not even looked at. */
export const rowList = (rows, kind, colours) => h("ul", { class: kind }, rows.map((row, at) => lazy(row.key, [
  row, colours?.rows[at], readOnly(), row.id && book.open?.id === row.id, book.done.get(row.id) ?? row.done, book.at,
  row.kind === "list" && dark(), row.kind === "choice" && choiceMark(row),
], oneRow)));

function oneRow(row, colour, still, open, done) {
  const { mark, edge = when(row), what } = (KINDS[row.kind] ?? plain)(row, still, done);
  return h("li", {
    class: ["row pair", row.kind, mark, open && "open"].filter(Boolean).join(" "),
    "data-row": row.key, "data-id": row.id, vars: { "--row": colour }, "aria-current": mark === "current" ? "true" : null,
  }, h("div.edge", edge), h("div.what", ...what));
}

const when = ({ when: at }) => at && h(at.date ? "time" : "span", { datetime: at.date, class: at.tone }, at.text);

/** The title of a row takes the focus; it opens details, or a page. */
const opener = ({ id, title }) => h("button.title", { "data-title": true, onclick: (event) => openDetails(id, event.currentTarget) }, name(title));
const link = (to, ...words) => h("a.title", { "data-title": true, href: to }, ...words);
const label = (...words) => h("span.title", { "data-title": true, tabindex: -1 }, ...words);
const two = (title, note) => h("div.two", title, note && h("span.meta", name(note)));
const warning = ({ conflict, title }) => conflict && h("a.warn", { href: href("conflicts"), "aria-label": `Conflict in ${title}` }, icon("conflicts"));
const swatch = (colour) => h("i.swatch", { vars: { "--c": colour } });

const KINDS = {
  todo: (row, still, done) => ({ mark: done && "done", what: [
    h("label.hit", h("input.check", {
      type: "checkbox", checked: done, disabled: still, "aria-label": `Done: ${row.title}`, onchange: (event) => setDone(row, event.target.checked),
    })),
    row.priority && h("span.pri", h(`i.dot.${row.priority}`), h("span", { "aria-hidden": "true" }, row.priority[0].toUpperCase()), h("span.sr", `${row.priority} priority`)),
    opener(row), warning(row), row.list && h("span.in", swatch(row.list.colour), name(row.list.title)),
  ] }),
  list: ({ id, title, colour, open, preview }) => ({ mark: "card", edge: open || "–", what: [
    h("span.spine", { "aria-hidden": "true" }, gradient(colour ?? "#777777", 6, dark()).rows.map((deep) => h("i", { vars: { "--row": deep } }))),
    two(link(href(`lists/${id}`), name(title)), preview?.join(" · ") || "nothing yet"), icon("next"),
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
