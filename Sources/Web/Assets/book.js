// What the page shows at this moment, and the one way to show it anew.

export const book = {
  route: null, // { view, find, sort } of the address
  at: null, // the instant that is looked at, null for now
  data: null, // the answer of the server for this view
  status: null, // of the devices
  connected: true,
  stale: false, // the server was started again with another key
  done: new Map(), // record id → done, until the server has said so
  moved: new Map(), // row key → where it stood, while it waits to be moved
  open: null, // the details: { id, item, fault, field, sheet }
  sheet: null, // what the dialog shows beside details: "keys" or "invite"
  fault: null, // the view could not be read
};

export const readOnly = () => book.at !== null || !book.connected;

let draw = () => {};
export const onDraw = (how) => { draw = how; };
export const redraw = () => draw();

// Applies the steps of a live query to the sections it had before; null when they do not fit.

export function apply(sections, ops) {
  const next = sections.map((section) => ({ ...section, rows: [...section.rows] }));
  const gone = ops.filter(({ op }) => op === "delete" || op === "move").map(({ from }) => from);
  gone.sort((a, b) => b.section - a.section || b.row - a.row);
  try {
    for (const { section, row } of gone) if (next[section].rows.splice(row, 1).length === 0) return null;
    for (const { op, from, to, row, section } of ops) {
      if (op === "delete-section") next.splice(from, 1);
      else if (op === "insert-section") next.splice(to, 0, { ...section, rows: section.rows ?? [] });
      else if (op === "update") {
        if (next[to.section].rows[to.row]?.key !== row.key) return null;
        next[to.section].rows[to.row] = row;
      } else if (op === "insert" || op === "move") {
        if (to.row > next[to.section].rows.length) return null;
        next[to.section].rows.splice(to.row, 0, row);
      }
    }
  } catch {
    return null;
  }
  return next;
}

// A row that was just done, or that has the focus, stays where it is seen; it moves when that is over.

const PATIENCE = 3000;
const focused = () => document.activeElement?.closest?.("[data-row]")?.dataset.row ?? null;

/** Notes where the rows stand that these steps would move from under the reader. */
export function keepWaiting(sections, ops) {
  for (const { op, from, row } of ops) {
    if (op !== "move") continue;
    const { rows } = sections[from.section];
    if (row.key !== focused() && rows[from.row].done === row.done) continue;
    const shown = order(rows).map(({ key }) => key);
    const above = shown.slice(0, shown.indexOf(row.key)).reverse();
    book.moved.set(row.key, { above, until: performance.now() + PATIENCE });
    setTimeout(redraw, PATIENCE + 50);
  }
}

/** The rows in the order to show. */
export function order(rows) {
  if (book.moved.size === 0) return rows;
  const here = focused();
  for (const [key, { until }] of book.moved) if (performance.now() > until && key !== here) book.moved.delete(key);
  const shown = rows.filter(({ key }) => !book.moved.has(key));
  for (const [key, { above }] of book.moved) {
    const row = rows.find((one) => one.key === key);
    if (!row) continue;
    const neighbour = above.find((one) => shown.some((other) => other.key === one));
    shown.splice(neighbour ? shown.findIndex((one) => one.key === neighbour) + 1 : 0, 0, row);
  }
  return shown;
}

document.addEventListener("focusout", () => { if (book.moved.size) setTimeout(redraw, 0); });
