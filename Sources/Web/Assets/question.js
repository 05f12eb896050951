// A question: weights, the draw, and why. The server draws first; what moves here is only the telling.
import { act } from "./actions.js";
import { book, redraw } from "./book.js";
import { openDetails } from "./details.js";
import { h, icon, name } from "./dom.js";
import { still as motionless } from "./settings.js";

const HOPS = 24;
let lit = null; // the key of the row the draw is at
let drawing = false;
let why = false;
const weights = new Map(); // id → the weight asked for, until the server has it

export function resetDraw() {
  lit = null;
  drawing = false;
  why = false;
}

/** How a choice's row is marked, for the row to be drawn anew when that changes. */
export function choiceMark(row) {
  if (drawing) return lit === row.id ? "lit" : "";
  return `${book.data.question?.answer?.choice === row.id ? "drawn" : ""}${weights.get(row.id) ?? ""}`;
}

export function choiceRow(row, { still }, line) {
  const weight = weights.get(row.id) ?? row.weight;
  const kind = drawing ? (lit === row.id ? "lit" : null) : book.data.question?.answer?.choice === row.id ? "drawn" : null;
  const step = (by, words) => h("button", {
    disabled: still || weight + by < 0, "aria-label": `${words} weight of ${row.title}`, onclick: () => weigh(row, by),
  }, icon(by < 0 ? "minus" : "plus"));
  return line({ class: kind }, row.percent,
    h("div.two",
      h("button.title", { "data-title": true, onclick: (event) => openDetails(row.id, event.currentTarget) }, name(row.title)),
      h("div.track", { "aria-hidden": "true", vars: { "--share": String(row.share ?? 0) } }, h("i"))),
    h("div.weigh", step(-1, "Lower"), h("output", { "aria-label": `Weight of ${row.title}` }, weight), step(1, "Raise")));
}

async function weigh(row, by) {
  const weight = (weights.get(row.id) ?? row.weight) + by;
  weights.set(row.id, weight);
  redraw();
  await act({ command: "edit", id: row.id, fields: { weight: String(weight) } }, { quiet: true });
  setTimeout(() => { if (weights.get(row.id) === weight) { weights.delete(row.id); redraw(); } }, 450);
}

async function choose() {
  if (drawing) return;
  const { question, sections } = book.data;
  const rows = sections.flatMap((section) => section.rows);
  drawing = true;
  redraw();
  const drawn = await act({ command: "pick", id: question.id }, { quiet: true });
  const answer = drawn?.answer;
  if (answer) {
    if (!motionless()) await hop(rows, Math.max(0, rows.findIndex((row) => row.id === answer.choice)));
    if (book.data.question?.id === question.id) book.data = { ...book.data, question: { ...book.data.question, answer } };
  }
  drawing = false;
  lit = null;
  redraw();
}

/** Two rounds and on to the winner, slower and slower. */
async function hop(rows, winner) {
  const hops = Math.min(HOPS, 2 * rows.length + winner + 1);
  for (let at = 0; at < hops && drawing; at += 1) {
    const place = (winner - (hops - 1 - at) + HOPS * rows.length) % rows.length;
    lit = rows[place].id;
    redraw();
    await new Promise((go) => setTimeout(go, 40 + 220 * (at / Math.max(1, hops - 1)) ** 3));
  }
}

export function answer(data) {
  const { question } = data;
  const now = drawing ? null : question.answer;
  return h("div.draw", { key: "draw" },
    h("button.btn.main.choose", {
      disabled: !question.canPick || !book.connected, "aria-disabled": drawing ? "true" : null,
      "aria-describedby": question.reason ? "no-draw" : null, onclick: choose,
    }, "Choose"),
    question.reason && h("p.meta", { id: "no-draw" }, question.reason),
    h("div", { role: "status" }, now && [
      h("p.meta", { key: "to" }, "The answer to ", name(data.head.title), " is"),
      h("p.answer", { key: "is" }, name(now.title)),
    ]),
    now && h("button.btn", { "aria-expanded": String(why), onclick: () => { why = !why; redraw(); } }, why ? "Hide why" : "Why?"),
    now && why && [
      h("p", { key: "words" }, now.words),
      h("div.tickets", { key: "line", "aria-hidden": "true" }, now.holders.map((holder) => tickets(holder, now))),
      h("p", { key: "holders" }, name(now.holdersWords)),
      h("p.meta", { key: "origin" }, (now.origin ?? []).join(" ")),
    ]);
}

/** The tickets of one choice on the number line; of very many only how long they are together. */
function tickets({ from, to, choice }, drawn) {
  const mine = choice === drawn.choice ? " mine" : "";
  if (to < from) return null;
  if (drawn.tickets > 60) return h("span", { key: choice, class: `segment end${mine}`, vars: { "--n": String(to - from + 1) } }, mine && drawn.ticket);
  return Array.from({ length: to - from + 1 }, (_, at) => {
    const n = from + at;
    return h("span", { key: `${n}`, class: `${n === to ? "end" : ""}${mine}${n === drawn.ticket ? " ticket" : ""}` }, n);
  });
}
