// The time line: bars for days, a slider over the entries, buttons for steps, and the counts of records at that time.
import { book, find, readOnly, redraw, showMoment } from "./book.js";
import { h, icon, name } from "./dom.js";
import { INPUTS, openDetails } from "./forms.js";
import { act } from "./server.js";

// The position of the slider until the server has answered.
let pulled = null;

async function to(query) {
  pulled = query.n ?? null;
  redraw();
  await showMoment(query);
  if (pulled === query.n) pulled = null;
  redraw();
}

export function timeline({ n: last, of, days, sections, holds, valuetext }) {
  const n = pulled ?? last;
  const step = (symbol, words, place) => h("button.btn", { "aria-label": words, onclick: () => to({ n: place }) }, icon(symbol));
  // The day of the moment is the day of the section that contains the current entry.
  const today = sections.find(({ rows }) => rows.some(({ place }) => place === "current"))?.key ?? "";
  return h("section.history.pair", { "aria-label": "The moment" }, h("div.edge"), h("div.what",
    bars(days, n),
    h("input.slider", {
      type: "range", min: 0, max: of, value: String(n), "aria-label": "Entry", "aria-valuetext": valuetext,
      oninput: (event) => to({ n: Number(event.target.value) }), onkeydown: (event) => page(event, days, n, of),
    }),
    h("div.steps",
      step("first", "Before the first entry", 0), step("back", "Previous entry", Math.max(0, n - 1)),
      step("next", "Next entry", Math.min(of, n + 1)), step("last", "Now", of),
      h("label", h("span", "End of"), h("input.field", { type: "date", initial: today, onchange: ({ target: { value } }) => value && to({ around: value }) }))),
    h("div.holds", holds.map(({ count, words }) => h("span", { key: words }, h("b", count), ` ${words}`)))));
}

/** The bars of as many days around the moment as fit. */
function bars(days, n) {
  const most = Math.floor((Math.min(innerWidth, 760) - 72) / 24);
  const now = n ? days.findIndex((day) => day.n >= n) : -1;
  const start = Math.max(0, Math.min(days.length - most, now - (most >> 1)));
  const shown = days.slice(start, start + most);
  const high = Math.max(...shown.map(({ count }) => count));
  return h("div.days", { role: "group", "aria-label": "Days" }, shown.map((day, at) => h("button", {
    key: day.day, tabindex: -1, "aria-label": day.words, title: day.words, vars: { "--h": (day.count / high).toFixed(3) },
    class: at + start === now ? "current" : at + start > now ? "later" : null, onclick: () => to({ n: day.n }),
  }, h("i"), h("span", day.label))));
}

function page(event, days, n, of) {
  const by = { PageUp: 1, PageDown: -1 }[event.key];
  if (!by) return;
  event.preventDefault();
  const ends = [0, ...days.map((day) => day.n), of];
  to({ n: by > 0 ? ends.find((end) => end > n) ?? of : ends.findLast((end) => end < n) ?? 0 });
}

// A question: the weights, the draw, and its explanation. The server draws first; the animation only presents the result.

let lit, drawing, why;
// The requested weights by id, until the server confirms them.
const weights = new Map();
export const resetDraw = () => { lit = drawing = why = null; };

const mark = ({ id }) => (drawing ? lit === id && "lit" : book.data.question?.answer?.choice === id && "drawn");

/** The state that a row depends on in addition to its data. */
export const choiceMark = (row) => `${mark(row)}${weights.get(row.id)}`;

export function choiceRow(row, still) {
  const { id, title, percent, share } = row;
  const weight = weights.get(id) ?? row.weight;
  const step = (by, symbol, words) => h("button", {
    disabled: still || weight + by < 0, "aria-label": `${words} the weight of ${title}`, onclick: () => weigh(id, weight + by),
  }, icon(symbol));
  return { mark: mark(row), edge: percent, what: [
    h("div.two", h("button.title", { "data-title": true, onclick: (event) => openDetails(id, event.currentTarget) }, name(title)),
      h("div.track", { "aria-hidden": "true", vars: { "--share": String(share ?? 0) } }, h("i"))),
    h("div.weigh", step(-1, "minus", "Lower"), h("output", { "aria-label": `Weight of ${title}` }, weight), step(1, "plus", "Raise")),
  ] };
}

async function weigh(id, weight) {
  weights.set(id, weight);
  redraw();
  await act({ command: "edit", id, fields: { weight: String(weight) } }, { quiet: true });
  setTimeout(() => { if (weights.get(id) === weight) weights.delete(id); redraw(); }, 450);
}

async function choose() {
  if (drawing) return;
  const { question: { id }, sections } = book.data;
  drawing = true;
  redraw();
  const { answer } = await act({ command: "pick", id }, { quiet: true }) ?? {};
  if (answer) {
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) await hop(sections.flatMap(({ rows }) => rows), answer.choice);
    if (book.data.question?.id === id) book.data.question = { ...book.data.question, answer };
  }
  lit = drawing = null;
  redraw();
  find(".answer")?.scrollIntoView({ block: "nearest" });
}

/** Highlights the choices in turn, for two rounds and on to the drawn one. */
async function hop(rows, winner) {
  const place = rows.findIndex(({ id }) => id === winner);
  const hops = Math.min(24, 2 * rows.length + place + 1);
  for (let at = 1; at <= hops && drawing; at += 1) {
    lit = rows.at((place - hops + at) % rows.length).id;
    redraw();
    await new Promise((go) => setTimeout(go, 40 + 220 * (at / hops) ** 3));
  }
}

export function answer({ question: { answer: last, canPick, reason }, head }) {
  const now = !drawing && last;
  return h("div.draw",
    h("button.btn.main.choose", {
      disabled: !canPick || !book.connected, "aria-disabled": drawing ? "true" : null, "aria-describedby": reason && "no-draw", onclick: choose,
    }, "Choose"),
    reason && h("p.meta", { id: "no-draw" }, reason),
    h("div", { role: "status" }, now && [h("p.meta", "The answer to ", name(head.title), " is"), h("p.answer", name(now.title))]),
    now && h("button.btn", { "aria-expanded": String(!!why), onclick: () => { why = !why; redraw(); } }, why ? "Hide why" : "Why?"),
    now && why && [
      h("p", now.words),
      h("div.tickets", { "aria-hidden": "true" }, now.holders.map((holder) => tickets(holder, now))),
      h("p", name(now.holdersWords)),
      h("p.meta", now.origin?.join(" ")),
    ]);
}

/** The tickets of a choice on the number line; more than 60 tickets are shown as segments. */
function tickets({ from, to, choice }, drawn) {
  const mine = choice === drawn.choice ? " mine" : "";
  const size = Math.max(0, to - from + 1);
  if (drawn.tickets > 60) return size > 0 && h("span", { class: `segment end${mine}`, vars: { "--n": String(size) } }, mine && drawn.ticket);
  return Array.from({ length: size }, (_, at) =>
    h("span", { class: `${from + at === to ? "end" : ""}${mine}${from + at === drawn.ticket ? " ticket" : ""}` }, from + at));
}

// A conflict is shown as a T-account: the values of all devices side by side, under one heavy rule.

// The selected values by conflict: { take, value, fault }.
const drafts = new Map();
const OTHER = " other";

export const conflicts = ({ sections, settleAll }) => [
  settleAll && h("div.tools", h("button.btn", { disabled: readOnly(), onclick: () => act({ command: "settle", all: true }) }, "Settle all: newest wins")),
  sections.flatMap(({ rows }) => rows).map(account),
];

function account({ key, id, title, subject, field, type, sides }) {
  const draft = drafts.get(key) ?? {};
  const now = draft.take ?? (sides.find(({ shown }) => shown) ?? sides[0]).take;
  const change = (changes) => { drafts.set(key, { ...drafts.get(key), ...changes }); redraw(); };
  const settle = async (event) => {
    event.preventDefault();
    const what = now === OTHER ? { value: draft.value ?? "" } : { take: now };
    try {
      if (await act({ command: "settle", id, field, ...what }, { strict: true })) drafts.delete(key);
    } catch ({ message }) {
      change({ fault: message });
    }
  };
  const radio = (take, label, about) => h("label.radio", h("input", {
    type: "radio", name: key, checked: now === take, disabled: readOnly(), onchange: () => change({ take }), "aria-label": `${label}: ${about}`,
  }), label);
  return h("form.account", { key, "data-row": key, "data-id": id, "aria-label": title, onsubmit: settle },
    h("h2", { tabindex: -1, "data-title": true }, name(title)),
    h("p.subject", subject),
    h("div.sides", sides.map(({ take, device, shown, value, detail, label }) => h("div.sideof", { key: take },
      h("p.from", name(device), shown && h("span.pill", "shown now")),
      h(`p.value${shown ? ".shown" : ""}`, name(value)), h("p.meta", name(detail)), radio(take, label, `${value}, ${device}`)))),
    type && h("div.other", radio(OTHER, "another value", subject), h(type === "lines" ? "textarea.field" : "input.field", {
      type: INPUTS[type], value: draft.value ?? "", disabled: readOnly(), "aria-label": `Another value for ${subject}`,
      oninput: (event) => change({ value: event.target.value, take: OTHER }),
    })),
    h("p.fault", { role: "alert" }, draft.fault),
    h("button.btn.main", { type: "submit", disabled: readOnly() }, "Settle"));
}
