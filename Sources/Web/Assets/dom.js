// h() describes an element, and patch() updates the document to match. Every child is identified by
// its key or else its index, so nodes are reused and keep the focus and the caret.

const LIVE = ["checked", "disabled", "readOnly"];
const icons = new URL("icons.svg", import.meta.url).pathname;

/** Describes an element: `h("li.row.done", { id }, child, …)`; the properties are optional. */
export function h(name, props, ...kids) {
  if (props?.constructor !== Object || props.kids || props.make) {
    kids.unshift(props);
    props = {};
  }
  const end = name.indexOf(".");
  const tag = end < 0 ? name : name.slice(0, end);
  if (end > 0) props.class ??= name.slice(end + 1).replaceAll(".", " ");
  if (tag === "button") props.type ??= "button";
  return { tag, props, kids, key: props.key };
}

/** An element that is described again only when one of `args` changes. */
export const lazy = (key, args, make) => ({ key, args, make });

export const name = (text) => h("bdi", text);

export const picture = (id, kind) => h("svg", { class: kind, "aria-hidden": "true" }, h("use", { href: `${icons}#${id}` }));
export const icon = (id) => picture(id, "icon");

function flatten(kids, prefix, into = []) {
  kids.forEach((kid, place) => {
    if (Array.isArray(kid)) flatten(kid, `${prefix}${place}.`, into);
    else if ((kid ?? false) !== false && kid !== "") {
      if (kid.constructor !== Object) kid = { text: String(kid) };
      kid.key ??= prefix + place;
      into.push(kid);
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
  const wanted = flatten(kids, "#").map((told) => {
    const { key, args } = told;
    let node = held.get(key);
    if (told.make) {
      if (node && args.every((value, at) => value === node.told.args[at])) return held.delete(key) && node;
      told = { ...told.make(...args), key, args };
    }
    if (node && node.told.tag === told.tag) held.delete(key);
    else node = create(told, parent.namespaceURI);
    update(node, told);
    return node;
  });
  for (const node of held.values()) node.remove();
  if (parent.firstChild) arrange(parent, wanted);
  else parent.append(...wanted);
}

/** Puts the nodes in order without moving the one that has the focus. */
function arrange(parent, wanted) {
  const focused = (node) => node?.contains(document.activeElement);
  let cursor = parent.firstChild;
  for (const node of wanted) {
    if (node !== cursor) {
      const near = cursor && node.parentNode === parent && (cursor.nextSibling === node || focused(node));
      if (!near || focused(cursor)) {
        parent.insertBefore(node, cursor);
        continue;
      }
      while (cursor !== node) {
        const next = cursor.nextSibling;
        parent.append(cursor);
        cursor = next;
      }
    }
    cursor = node.nextSibling;
  }
}

function create({ tag, text }, space) {
  const node = tag ? document.createElementNS(tag === "svg" ? "http://www.w3.org/2000/svg" : space, tag) : document.createTextNode(text);
  node.told = { props: {}, text };
  return node;
}

function update(node, told) {
  const { props, text } = node.told;
  node.told = told;
  if (!told.tag) {
    if (text !== told.text) node.data = told.text;
    return;
  }
  patch(node, told.kids);
  for (const prop in props) if (!(prop in told.props)) set(node, prop, null, props[prop]);
  for (const prop in told.props) set(node, prop, told.props[prop], props[prop]);
}

function set(node, prop, value, before) {
  if (prop === "value") {
    if (node.value !== value) node.value = value;
  } else if (prop === "initial") {
    // Do not overwrite a field that the user is changing.
    if (value !== before && (node !== document.activeElement || node.value === (before ?? ""))) node.value = value;
  } else if (LIVE.includes(prop)) {
    if (node[prop] !== !!value) node[prop] = !!value;
  } else if (prop.startsWith("on")) {
    node[prop] = value;
  } else if (prop === "vars") {
    for (const one in { ...before, ...value }) if (before?.[one] !== value?.[one]) node.style.setProperty(one, value?.[one] ?? "");
  } else if (value !== before && prop !== "key") {
    if ((value ?? false) === false) node.removeAttribute(prop);
    else node.setAttribute(prop, value === true ? "" : value);
  }
}
