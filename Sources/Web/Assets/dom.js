// Builds the page from values: h() describes an element, patch() makes the document like the description.
// Every child has a key, its own or its place, so that a node, its focus and its caret stay where they are.

const SVG = "http://www.w3.org/2000/svg";
const LIVE = new Set(["checked", "disabled", "readOnly"]);

/** An element: `h("li.row.done", { id }, child, …)`; the properties may be left out. */
export function h(name, props, ...kids) {
  if (props?.constructor !== Object || props.kids || props.make) {
    kids.unshift(props);
    props = {};
  }
  const [tag, ...classes] = name.split(".");
  if (classes.length > 0) props = { class: classes.join(" "), ...props };
  if (tag === "button") props = { type: "button", ...props };
  return { tag, props, kids, key: props.key };
}

/** A part that is described anew only when one of `args` is another than before. */
export const lazy = (key, args, make) => ({ key, args, make });

/** Text of the reader, whatever direction it has. */
export const name = (text) => h("bdi", null, text);

export const icon = (id, more = "") => picture(id, `icon ${more}`);
export const picture = (id, kind) =>
  h("svg", { class: kind, "aria-hidden": "true" }, h("use", { href: `${icons}#${id}` }));

const icons = new URL("icons.svg", import.meta.url).pathname;

function flatten(kids, prefix, into) {
  kids.forEach((kid, place) => {
    if (Array.isArray(kid)) flatten(kid, `${prefix}${place}.`, into);
    else if (kid !== null && kid !== undefined && kid !== false && kid !== "") {
      const key = kid.key ?? `${prefix}${place}`;
      into.push(typeof kid === "object" ? { ...kid, key } : { key, text: String(kid) });
    }
  });
  return into;
}

export function patch(parent, kids) {
  const held = new Map();
  for (const node of [...parent.childNodes]) {
    if (node.told) held.set(node.told.key, node);
    else node.remove();
  }
  const wanted = flatten(kids, "#", []).map((told) => {
    const node = held.get(told.key);
    if (node && (node.told.tag ?? "") === tagOf(told, node.told)) {
      held.delete(told.key);
      return update(node, told);
    }
    return create(told, parent.namespaceURI);
  });
  for (const node of held.values()) node.remove();
  arrange(parent, wanted);
}

const tagOf = (told, before) => (told.make ? before.tag : told.tag) ?? "";

/** Puts the nodes in order without moving the one that has the focus. */
function arrange(parent, wanted) {
  let cursor = parent.firstChild;
  for (const node of wanted) {
    if (node === cursor) {
      cursor = cursor.nextSibling;
    } else if (node.parentNode === parent && (cursor?.nextSibling === node || node.contains(document.activeElement))) {
      if (cursor.contains(document.activeElement)) { parent.insertBefore(node, cursor); continue; }
      while (cursor !== node) {
        const next = cursor.nextSibling;
        parent.append(cursor);
        cursor = next;
      }
      cursor = node.nextSibling;
    } else {
      parent.insertBefore(node, cursor);
    }
  }
}

function create(told, namespace) {
  if (told.text !== undefined) {
    const node = document.createTextNode(told.text);
    node.told = told;
    return node;
  }
  const full = told.make ? { ...told.make(...told.args), key: told.key, args: told.args } : told;
  const space = full.tag === "svg" ? SVG : namespace;
  const node = document.createElementNS(space ?? "http://www.w3.org/1999/xhtml", full.tag);
  node.told = { tag: full.tag, props: {}, key: told.key };
  return update(node, full);
}

function update(node, told) {
  const before = node.told;
  if (told.text !== undefined) {
    if (before.text !== told.text) node.data = told.text;
    node.told = told;
    return node;
  }
  if (told.make) {
    if (before.args && told.args.every((value, place) => value === before.args[place])) return node;
    told = { ...told.make(...told.args), key: told.key, args: told.args };
  }
  patch(node, told.kids);
  for (const prop of Object.keys(before.props)) if (!(prop in told.props)) set(node, prop, null, before.props[prop]);
  for (const prop of Object.keys(told.props)) set(node, prop, told.props[prop], before.props[prop]);
  node.told = told;
  return node;
}

function set(node, prop, value, before) {
  if (prop === "key") return;
  if (prop === "value") {
    if (node.value !== value) node.value = value ?? "";
  } else if (prop === "initial") {
    // What the reader is changing is left alone; what is only shown follows the book.
    if (value !== before && (node !== document.activeElement || node.value === (before ?? ""))) node.value = value;
  } else if (LIVE.has(prop)) {
    if (node[prop] !== !!value) node[prop] = !!value;
  } else if (prop.startsWith("on")) {
    node[prop] = value;
  } else if (prop === "vars") {
    for (const one of Object.keys(before ?? {})) if (!value || !(one in value)) node.style.removeProperty(one);
    for (const one of Object.keys(value ?? {})) if (before?.[one] !== value[one]) node.style.setProperty(one, value[one]);
  } else if (value !== before) {
    if (value === null || value === undefined || value === false) node.removeAttribute(prop);
    else node.setAttribute(prop, value === true ? "" : value);
  }
}
