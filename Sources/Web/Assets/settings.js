// What this browser prefers, all keys, and on a phone the way to the other pages.
import { book, redraw } from "./book.js";
import { h, icon } from "./dom.js";
import { href } from "./load.js";
import { option } from "./quickadd.js";
import { further } from "./shell.js";

const KEYS = [
  ["g, then t l b c h x d", "Today, Lists, Birthdays, Choose, History, Conflicts, Devices"],
  ["n", "write on the line for what is new"], ["/", "search this list"], ["j  k", "next row, previous row"],
  ["Enter", "details of the row"], ["x", "done, or not done"], ["Delete", "delete the row"], ["u", "undo the last step"],
  ["c", "choose, on a question"], ["[  ]", "one entry back, one on"], ["0", "back to now"],
  ["Esc", "close, clear, leave"], ["?", "these keys"],
];

export const keyTable = () => h("table.table", h("tbody",   KEYS.map(([keys, words]) => h("tr", { key: keys }, h("th", { scope: "row" }, keys), h("td", words)))));

export function settings() {
  const { entries = 0, conflicts = 0 } = book.data.nav;
  const choose = (what) => (event) => { prefer(what, event.target.value); redraw(); };
  const bar = (what, legend, options) => [h("h2", { key: `${what}-title`, id: `${what}-title` }, legend),
    h("fieldset.seg", { key: what, "aria-labelledby": `${what}-title` },
      options.map(([value, words]) => option(what, value, words, preference(what) === value, choose(what))))];
  return h("div.settings", { key: "settings" },
    h("ul.links.narrow", further(entries, conflicts).slice(0, 3).map(([to, symbol, words, count]) =>
      h("li", { key: to }, h("a", { href: href(to) }, icon(symbol), words, count > 0 && h("span.n.meta", count))))),
    bar("theme", "Theme", [["auto", "Auto"], ["light", "Light"], ["dark", "Dark"]]),
    bar("rows", "Rows of a list", [["coloured", "Coloured"], ["calm", "Calm"]]),
    h("h2", "Keys"),
    h("label.radio", h("input", {
      type: "checkbox", checked: preference("keys"), onchange: (event) => { prefer("keys", event.target.checked); redraw(); },
    }), "Single keys do things"),
    keyTable());
}

// What this browser prefers. Nothing of the book is ever kept here.

const defaults = { theme: "auto", rows: "coloured", keys: true };
let kept = { ...defaults };
try {
  kept = { ...defaults, ...JSON.parse(localStorage.getItem("daybook") ?? "{}") };
} catch { /* No storage: the defaults hold. */ }

if (kept.theme !== "auto") document.documentElement.dataset.theme = kept.theme;

export const preference = (name) => kept[name];

export function prefer(name, value) {
  kept = { ...kept, [name]: value };
  if (name === "theme") {
    if (value === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = value;
  }
  try {
    localStorage.setItem("daybook", JSON.stringify(kept));
  } catch { /* It holds until the page is closed. */ }
}

const system = matchMedia("(prefers-color-scheme: dark)");
export const dark = () => (kept.theme === "auto" ? system.matches : kept.theme === "dark");
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

const columns = matchMedia("(min-width: 960px)");
export const broad = () => columns.matches;

export function onLook(change) {
  system.addEventListener("change", change);
  columns.addEventListener("change", change);
}
