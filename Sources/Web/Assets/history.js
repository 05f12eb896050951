// The time line: bars of days, a slider over the entries, steps, and what the book held then.
import { book, redraw } from "./book.js";
import { h, icon } from "./dom.js";
import { showMoment } from "./load.js";
import { get } from "./server.js";

let pulled = null; // where the slider is while the server is asked

async function to(query) {
  if (query.n !== undefined) pulled = query.n;
  redraw();
  await showMoment(query);
  if (pulled === query.n) pulled = null;
  redraw();
}

export function timeline(data) {
  const n = pulled ?? data.n;
  const { of } = data;
  const step = (symbol, words, place) => h("button.btn", {
    "aria-label": words, "aria-disabled": place === n ? "true" : null, onclick: () => { if (place !== n) to({ n: place }); },
  }, icon(symbol));
  return h("section.history.pair", { key: "timeline", "aria-label": "The moment" }, h("div.edge"), h("div.what",
    bars(data, n),
    h("input.slider", {
      type: "range", min: 0, max: of, step: 1, value: String(n), "aria-label": "Entry", "aria-valuetext": data.valuetext,
      oninput: (event) => to({ n: Number(event.target.value) }), onkeydown: (event) => page(event, data, n),
    }),
    h("div.steps",
      step("first", "Before the first entry", 0), step("back", "One entry back", Math.max(0, n - 1)),
      step("next", "One entry on", Math.min(of, n + 1)), step("last", "Now", of),
      h("label", h("span", "End of"), h("input.field", { type: "date", initial: dayOf(data), onchange: (event) => { if (event.target.value) ending(data, event.target.value); } }))),
    h("div.holds", (data.holds ?? []).map(({ count, words }) => h("span", { key: words }, h("b", count), ` ${words}`)))));
}

/** The day of the moment is the one its entry stands under. */
const dayOf = (data) => data.sections.find((section) => section.rows.some((row) => row.place === "current"))?.key ?? "";

function ending(data, day) {
  const known = data.days.find((one) => one.day === day);
  return to(known && known.n !== undefined && data.days.length < 28 ? { n: known.n } : { around: day });
}

/** The days that fit, those about the moment. */
function bars(data, n) {
  const most = Math.max(4, Math.floor((Math.min(innerWidth, 760) - 72) / 24));
  const now = n === 0 ? -1 : data.days.findIndex((day) => day.n >= n);
  const start = Math.max(0, Math.min(data.days.length - most, now - Math.floor(most / 2)));
  const days = data.days.slice(start, start + most);
  const high = Math.max(1, ...days.map((day) => day.count));
  return h("div.days", { role: "group", "aria-label": "Days" }, days.map((day, at) => h("button", {
    key: day.day, tabindex: -1, "aria-label": day.words, title: day.words, vars: { "--h": (day.count / high).toFixed(3) },
    class: at + start === now ? "current" : at + start > now ? "later" : null, onclick: () => to({ n: day.n }),
  }, h("i"), h("span", day.label))));
}

/** Page up and down go by days. */
function page(event, data, n) {
  if (event.key !== "PageUp" && event.key !== "PageDown") return;
  event.preventDefault();
  const ends = data.days.map((day) => day.n);
  if (event.key === "PageUp") to({ n: ends.find((end) => end > n) ?? data.of });
  else to({ n: ends.filter((end) => end < n).pop() ?? 0 });
}

/** The answers of the time line; `days` is read once and again when entries come. */
export const readHistory = (query) => get("history", { before: 9, after: 2, ...query });
export const readDays = () => get("history/days").then(({ days }) => days);
