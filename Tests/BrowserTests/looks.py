"""Tests every view at two widths and in two themes with axe, for overflow and target sizes, and takes pictures."""

from axe_core_python.sync_playwright import Axe

from pages import go, row, shot, until

RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}, "resultTypes": ["violations", "incomplete"]}
LOOKS = [(390, 844, "light"), (390, 844, "dark"), (1200, 860, "light"), (1200, 860, "dark")]
# axe cannot check text over stripes, or elements that the tabs partly cover. The signs of the weights are drawings.
STRIPED = (".banner", ".later", ".weigh")

OUT = """() => { const wide = document.documentElement.clientWidth;
  const out = [...document.querySelectorAll('body *')].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.width > 0 && box.right > wide + 1 && !one.closest('.sr, .skip, svg');
  }).map((one) => `${one.localName}.${one.className} ${Math.round(one.getBoundingClientRect().right)}`);
  return { sideways: document.documentElement.scrollWidth > wide, out: out.slice(0, 5) }; }"""

SMALL = """() => [...document.querySelectorAll('a[href], button, input, select, textarea')].filter((one) => {
    const hit = one.closest('label') ?? one;
    const box = hit.getBoundingClientRect();
    if (box.width === 0 || one.closest('.skip') || hit.matches('.card .title, .strip .title')) return false;
    return box.width < 23.9 || box.height < 23.9;
  }).map((one) => `${one.localName}.${one.className} ${one.textContent}`.slice(0, 60))"""

SPACING = "* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important; } p { margin-bottom: 2em !important; }"


def views(world):
    ids = {one["title"]: one["id"] for one in world.get("view/lists")["nav"]["lists"]}
    lunch = world.row("questions", "Lunch?")["id"]
    part = world.row(f"list/{ids['Winter reading']}", "Book one")["id"]
    flowers = world.row(f"list/{ids['妈妈家']}", "给花浇水")["id"]
    start = world.get("history?n=0")["instant"]
    some = world.get("history?n=20")["instant"]
    found = {
        "today": "", "lists": "lists", "list": f"lists/{ids['Home']}", "list-chinese": f"lists/{ids['妈妈家']}", "list-empty": f"lists/{ids['Someday']}",
        "list-nested": f"lists/{ids['Winter reading']}", "todo": f"todos/{part}", "todo-repeats": f"todos/{flowers}",
        "search-nothing": f"lists/{ids['Home']}?find=zebra", "birthdays": "birthdays", "birthdays-name": "birthdays?sort=name", "choose": "choose",
        "question": f"choose/{lunch}", "history": "history", "conflicts": "conflicts", "devices": "devices", "settings": "settings",
    }
    for name in ["today", "list", "todo", "birthdays", "choose", "history", "devices"]:
        found[f"{name}-past"] = f"{found[name]}?at={some}"
    for name in ["today", "lists", "birthdays", "choose", "history"]:
        found[f"{name}-before"] = f"{found[name]}?at={start}"
    return found


def judge(world, page, name):
    result = Axe().run(page, options=RULES)
    told = [f"{one['id']}: {one['nodes'][0]['html'][:120]}" for one in result["violations"]]
    world.check(f"{name}: axe finds nothing", not told, told)
    for rule in result["incomplete"]:
        if rule["id"] != "color-contrast":
            continue
        unjudged = [f"{(node['any'] or [{}])[0].get('data', {}).get('messageKey')}: {node['target'][0]} {node['html'][:60]}" for node in rule["nodes"]
                    if not page.evaluate("""([at, striped]) => { const one = document.querySelector(at); const tabs = document.querySelector('.tabs').getBoundingClientRect();
                      const behind = document.querySelector('dialog[open]') && !one?.closest('dialog'); // judged where no dialog is
                      return !one || behind || !!one.closest(striped) || tabs.height > 0 && one.getBoundingClientRect().bottom > tabs.top; }""", [node["target"][0], ", ".join(STRIPED)])]
        world.check(f"{name}: axe can judge every contrast", not unjudged, unjudged)
    over = page.evaluate(OUT)
    world.check(f"{name}: nothing past the right edge", not over["sideways"] and not over["out"], over)
    small = page.evaluate(SMALL)
    world.check(f"{name}: every target is 24 × 24", not small, small)


def trial(world):
    paths = views(world)
    for width, height, scheme in LOOKS:
        page = world.pages.open("", width, height, quiet=True, color_scheme=scheme)
        for name, path in paths.items():
            go(page, world, path)
            page.wait_for_timeout(120)
            judge(world, page, f"{name} {width} {scheme}")
            shot(page, world, f"{name}-{width}-{scheme}")
        moments(world, page, f"{width} {scheme}", paths)
        page.context.close()


def moments(world, page, look, paths):
    """Elements that appear only after a key or a click."""
    go(page, world, "")
    page.fill(".add .text", "Sharpen the skates tomorrow")
    until(page, "document.querySelector('button.chip')")
    judge(world, page, f"quick add with chips {look}")
    go(page, world, paths["list"])
    page.click(f"{row('Buy Eggos')} [data-title]")
    until(page, "document.querySelector('#field-note')")
    judge(world, page, f"details {look}")
    shot(page, world, f"details-{look.replace(' ', '-')}")
    page.keyboard.press("Escape")
    go(page, world, paths["list-chinese"])
    page.click(f"{row('给花浇水')} [data-title]")
    until(page, "document.querySelector('#field-scope')")
    judge(world, page, f"details of a to-do that repeats {look}")
    shot(page, world, f"details-repeats-{look.replace(' ', '-')}")
    page.keyboard.press("Escape")
    go(page, world, paths["list"])
    page.click(f"{row('Buy Eggos')} .check", force=True)
    until(page, "document.querySelector('.toast p')")
    judge(world, page, f"toast {look}")
    page.click(".toast >> text=Undo")
    page.wait_for_timeout(400)
    page.click(".toast .round")
    page.keyboard.press("?")
    until(page, "document.querySelector('dialog[open]')")
    judge(world, page, f"keys {look}")
    page.keyboard.press("Escape")
    go(page, world, paths["question"])
    if page.locator(".answer").count() == 0:
        page.click(".choose")
        until(page, "document.querySelector('.answer')", timeout=9000)
    page.click("text=Why?")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    judge(world, page, f"why {look}")
    page.evaluate("localStorage.daybook = JSON.stringify({ rows: 'calm' })")
    go(page, world, paths["list"])
    judge(world, page, f"calm rows {look}")
    shot(page, world, f"calm-{look.replace(' ', '-')}")
    page.evaluate("localStorage.clear()")


def widths(world):
    """320 px, letters twice as large, and the text spacing of WCAG 1.4.12."""
    paths = views(world)
    for label, width, style in [("320 px", 320, None), ("390 px with letters twice as large", 390, ":root { font-size: 200% !important; }"),
                                ("1200 px with letters twice as large", 1200, ":root { font-size: 200% !important; }"), ("390 px with text spacing", 390, SPACING)]:
        page = world.pages.open("", width, 844, quiet=True, bypass_csp=True)
        for name, path in paths.items():
            go(page, world, path)
            if style:
                page.add_style_tag(content=style)
            page.wait_for_timeout(80)
            over = page.evaluate(OUT)
            world.check(f"{name} at {label}: nothing past the right edge", not over["sideways"] and not over["out"], over)
            if name in ("today", "list", "question", "history-past", "conflicts"):
                shot(page, world, f"{name}-{label.replace(' ', '-')}")
        page.context.close()
    page = world.pages.open("", 390, 844, quiet=True, forced_colors="active")
    for name in ("today", "list", "question"):
        go(page, world, paths[name])
        shot(page, world, f"{name}-forced-colours")
    page.context.close()
