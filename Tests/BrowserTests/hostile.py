"""Tests that hostile titles are shown as text in every view."""

import re

from pages import go, same_as_fresh, until

TITLES = ["<img src=x onerror=\"document.title='harmed'\">", "</script><script>document.title='harmed'</script>", "\u202eright to left\u202c override",
          "x" * 4000, "👩‍👩‍👧‍👦 🏳️‍🌈 family", "中文标题 与 混合 text", "' onclick=alert(1) '", "&amp;&lt;b&gt;", "{{constructor}}${1}"]


def visible(title):
    """Marks that change the writing direction may be shown as escapes, as everywhere in the program."""
    return re.sub(r"\\u\{20[0-9a-f]{2}\}|[\u202a-\u202e]", "", title)


def trial(world):
    check = world.check
    for title in TITLES:
        if world.program:
            world.cli("add", "todo", title, "--list", "Home", "--priority", "high")
        else:
            world.do(command="add", kind="todo", text=title, list=world.list_id("Home"), priority="high", plain=True)
    page = world.pages.open("")
    home = f"lists/{world.list_id('Home')}"
    for name, path in [("today", ""), ("lists", "lists"), ("list", home), ("history", "history")]:
        for width in (390, 1200):
            page.set_viewport_size({"width": width, "height": 844})
            go(page, world, path)
            page.wait_for_timeout(200)
            check(f"{name} {width}: none of it runs", page.evaluate("document.title !== 'harmed' && !document.querySelector('main img, main script')"))
            check(f"{name} {width}: nothing is wider than the page", page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
    go(page, world, home)
    shown = page.evaluate("[...document.querySelectorAll('main [data-title]')].map((one) => one.textContent)")
    for title in TITLES:
        check(f"shown as text: {title[:24]!r}", visible(title) in map(visible, shown))
    page.locator("[data-title]", has_text="family").first.click()
    check("details show it", until(page, "document.querySelector('#field-title')?.value.includes('family')"))
    page.keyboard.press("Escape")
    same_as_fresh(page, world, "hostile titles")
    wanted = {visible(title) for title in TITLES}
    for section in world.get("view/" + home.replace("lists/", "list/"))["sections"]:
        for one in section["rows"]:
            if visible(one["title"]) in wanted:
                world.do(command="delete", id=one["id"])
    page.context.close()
