// A conflict is a T-account: what each device wrote stands under one heavy rule until it is settled.
import { act } from "./actions.js";
import { book, readOnly, redraw } from "./book.js";
import { h, name } from "./dom.js";

const chosen = new Map(); // conflict → what is kept: a side's `take`, or OTHER
const typed = new Map();
const faults = new Map();
const OTHER = " other";

export function conflicts(data) {
  const rows = data.sections.flatMap((section) => section.rows);
  for (const key of chosen.keys()) if (!rows.some((row) => row.key === key)) chosen.delete(key);
  return [
    data.settleAll && h("div.tools", { key: "tools" }, h("button.btn", {
      disabled: readOnly(), onclick: () => act({ command: "settle", all: true }),
    }, "Settle all: newest wins")),
    ...rows.map(account),
  ];
}

const shown = (row) => row.sides.find((side) => side.shown) ?? row.sides[0];

async function settle(row, event) {
  event.preventDefault();
  const take = chosen.get(row.key) ?? shown(row).take;
  const body = { command: "settle", id: row.id, field: row.field };
  if (take === OTHER) body.value = typed.get(row.key) ?? "";
  else body.take = take;
  try {
    await act(body, { strict: true });
    faults.delete(row.key);
    chosen.delete(row.key);
    typed.delete(row.key);
  } catch (fault) {
    faults.set(row.key, fault.message);
    redraw();
  }
}

function account(row) {
  const now = chosen.get(row.key) ?? shown(row).take;
  const choose = (value) => () => { chosen.set(row.key, value); redraw(); };
  const radio = (value, label, about) => h("label.radio", h("input", {
    type: "radio", name: row.key, value, checked: now === value, disabled: readOnly(), onchange: choose(value), "aria-label": `${label}: ${about}`,
  }), label);
  return h("form.account", { key: row.key, "data-row": row.key, "data-id": row.id, "aria-label": row.title, onsubmit: (event) => settle(row, event) },
    h("h2", { tabindex: -1, "data-title": true }, name(row.title)),
    h("p.subject", row.subject),
    h("div.sides", row.sides.map((side) => h("div.sideof", { key: side.take },
      h("p.from", name(side.device), side.shown && h("span.pill", "shown now")),
      h("p", { class: `value${side.shown ? " shown" : ""}` }, name(side.value)),
      h("p.meta", name(side.detail ?? "")),
      radio(side.take, side.label, `${side.value}, ${side.device}`)))),
    row.field && h("div.other", radio(OTHER, "another value", row.subject), h(row.type === "lines" ? "textarea" : "input", {
      class: "field", type: row.type === "lines" ? null : row.type === "date" ? "date" : row.type === "weight" ? "number" : "text",
      value: typed.get(row.key) ?? "", disabled: readOnly(), "aria-label": `Another value for ${row.subject}`,
      "aria-describedby": faults.has(row.key) ? `fault-${row.key}` : null,
      oninput: (event) => { typed.set(row.key, event.target.value); chosen.set(row.key, OTHER); redraw(); },
    })),
    faults.has(row.key) && h("p.fault", { id: `fault-${row.key}`, role: "alert" }, faults.get(row.key)),
    h("button.btn.main", { type: "submit", disabled: readOnly() }, "Settle"));
}
