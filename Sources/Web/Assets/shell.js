// What stands around the leaf: bar, side, tabs, banners.
import { book } from "./book.js";
import { showSheet } from "./details.js";
import { h, icon, name, picture } from "./dom.js";
import { here, href, travel } from "./load.js";
import { preference } from "./settings.js";

const page = () => here().split("/")[0];
const current = (one) => (page() === one && here() === one ? "page" : page() === one ? "true" : null);

export const shape = (state) => picture(SHAPES[state] ?? "in-step", `shape ${state}`);
const SHAPES = { "in-step": "in-step", alone: "in-step", sending: "sending", behind: "sending", offline: "offline", away: "offline", trouble: "trouble", revoked: "trouble" };

export const skip = () => h("a.skip", { key: "skip", href: "#main" }, "Skip to the leaf");

export function bar() {
  const status = book.status ?? { state: "offline", words: "not connected" };
  const { state, words } = book.connected ? status : { state: "offline", words: "not connected" };
  return h("header.bar", { key: "bar" },
    h("a.brand", { href: href("") }, icon("brand"), "daybook"),
    h("a.status", { href: href("devices"), title: "Devices" }, shape(state), h("span", words)));
}

const link = (to, symbol, words, count, more = "") => {
  const inside = to === "lists" && here() !== "lists" || to === "choose" && here() !== "choose";
  const now = current(to);
  return h("a", {
    href: href(to), class: `${more}${now && inside ? " over" : ""}` || null, "aria-current": now === "page" ? "page" : null,
  }, icon(symbol), words, count > 0 && h("span.n", count));
};

export function side() {
  const { lists = [], entries = 0, conflicts = 0 } = book.data?.nav ?? {};
  return h("nav.side", { key: "side", "aria-label": "Book" },
    h("ul",       h("li", link("", "today", "Today")),
      h("li", link("lists", "lists", "Lists"),
        h("ul.sub", lists.map((list) => h("li", { key: list.id },
          h("a", { href: href(`lists/${list.id}`), "aria-current": here() === `lists/${list.id}` ? "page" : null },
            h("i.swatch", { vars: { "--c": list.colour ?? "" } }), h("span", name(list.title)),
            list.open > 0 && h("span.n", list.open)))))),
      h("li", link("birthdays", "birthdays", "Birthdays")),
      h("li", link("choose", "choose", "Choose"))),
    h("hr"),
    h("ul", further(entries, conflicts).map(([to, symbol, words, count, more]) =>
      h("li", { key: to }, link(to, symbol, words, count, more)))),
    h("button.keys", { onclick: () => showSheet("keys") }, "Keys", preference("keys") && h("kbd", "?")));
}

/** The pages that a phone has under More. */
export const further = (entries, conflicts) => [
  ["history", "history", "History", entries],
  ["conflicts", "conflicts", "Conflicts", conflicts, conflicts > 0 ? "alert" : ""],
  ["devices", "devices", "Devices"],
  ["settings", "settings", "Settings"],
];

export function tabs() {
  const more = ["history", "conflicts", "devices", "settings"].includes(page());
  const alert = book.data?.nav.conflicts > 0;
  const tab = (to, symbol, words, on, kind) => h("li", { key: to }, h("a", {
    href: href(to), class: kind, "aria-current": on ? (here() === to ? "page" : "true") : null,
  }, icon(symbol), h("span", words), kind && [h("i.spot"), h("span.sr", ", conflicts to settle")]));
  return h("nav.tabs", { key: "tabs", "aria-label": "Pages" }, h("ul",     tab("", "today", "Today", here() === ""),
    tab("lists", "lists", "Lists", page() === "lists"),
    tab("birthdays", "birthdays", "Birthdays", page() === "birthdays"),
    tab("choose", "choose", "Choose", page() === "choose"),
    tab("settings", "settings", "More", more, alert ? "alert" : null)));
}

export function banners() {
  const { moment } = book.data ?? {};
  return [
    book.at && moment && h("div.banner.past", { key: "past", role: "region", "aria-label": "The past" },
      h("p", h("b", "The book as it was"), ` ${moment.words}. Read only.`),
      h("button.btn.main", { onclick: () => travel(null) }, "Back to now")),
    h("div", { key: "off", role: "alert" }, !book.connected && h("div.banner.plain", h("p", book.stale
      ? "daybook was started again; open the address it printed."
      : "Not connected; what you see may be old."))),
  ];
}
