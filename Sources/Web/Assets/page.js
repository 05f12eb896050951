// The page: takes over what the server has drawn, and draws everything anew from what is known.
import { toast } from "./actions.js";
import { book, onDraw, redraw } from "./book.js";
import { besideLeaf, details, inSheet, settleSheet, sheet } from "./details.js";
import { h, patch } from "./dom.js";
import { mendFocus, noteFocus } from "./keys.js";
import { leaf } from "./leaf.js";
import { load } from "./load.js";
import { rowList } from "./rows.js";
import { broad, onLook } from "./settings.js";
import { banners, bar, side, skip, tabs } from "./shell.js";
import "./keys.js";

const root = document.documentElement;

/** The third column: the details of a record, else on Today the last entries. */
function column() {
  if (!broad() || !besideLeaf()) return null;
  if (book.open) return h("aside.details", { key: "aside", "aria-labelledby": "details-name" }, details());
  const entries = book.data?.sections?.find((section) => section.key === "entries");
  return h("aside.details", { key: "aside", "aria-label": entries?.title ?? "Details" },
    entries?.rows.length > 0 && [h("h2", { key: "title" }, entries.title), rowList(entries, "rows column")]);
}

onDraw(() => {
  const note = noteFocus();
  const { data } = book;
  document.title = `${book.fault ? "Not here" : data?.head.title ?? "daybook"} · daybook`;
  root.classList.toggle("past", book.at !== null);
  document.body.className = besideLeaf() ? "" : "roomy";
  patch(document.body, [
    skip(), bar(), side(),
    h("main", { key: "main", id: "main", tabindex: -1 }, banners(), leaf()),
    column(), tabs(), toast(), sheet(),
  ]);
  if (data?.revision) root.dataset.revision = data.revision;
  settleSheet();
  mendFocus(note);
});

onLook(redraw);
// The first time the focus stays where the reader has put it.
load({ heading: false });
