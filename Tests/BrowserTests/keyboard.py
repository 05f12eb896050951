"""Tests each line of the table of keys, and that the focus is never lost."""

from pages import active, row, same_as_fresh, titles, until


def heading(page, words):
    return until(page, "(words) => document.querySelector('h1')?.textContent === words && document.activeElement?.localName === 'h1'", words)


def trial(world):
    check = world.check
    page = world.pages.open()
    for key, words in [("l", "Lists"), ("b", "Birthdays"), ("c", "Choose"), ("h", "History"), ("x", "Conflicts"), ("d", "Devices")]:
        page.keyboard.press("g")
        page.keyboard.press(key)
        check(f"g {key} goes to {words}, focus on its heading", heading(page, words), active(page))
    page.keyboard.press("g")
    page.keyboard.press("t")
    check("g t goes to today", until(page, "document.querySelector('.add .text') && document.activeElement.localName === 'h1'"), active(page))

    page.click("nav.side >> text=Home")
    check("a link moves the focus to the heading", heading(page, "Home"), active(page))
    page.keyboard.press("n")
    check("n goes to quick add", active(page) == "input Add to Home", active(page))
    page.keyboard.type("jxu[?")
    check("single keys do nothing in a field", page.input_value(".add .text") == "jxu[?", page.input_value(".add .text"))
    page.fill(".add .text", "")
    page.keyboard.press("Escape")
    check("Escape leaves a field", active(page) != "input Add to Home", active(page))
    page.keyboard.press("/")
    check("/ goes to the search", active(page) == "input Search this list", active(page))
    page.keyboard.type("EGGOS")
    check("the search ignores case", until(page, "document.querySelectorAll('main [data-row]').length === 1") and titles(page) == ["Buy Eggos"], titles(page))
    check("the search keeps its caret", page.evaluate("document.activeElement.selectionStart") == 5)
    page.keyboard.press("Escape")
    check("Escape clears the search", until(page, "document.querySelectorAll('main [data-row]').length > 3"))
    page.keyboard.press("Escape")

    page.click("main .rest a")
    check("the closed to-dos are shown", until(page, "document.querySelector('main .row.done')"))
    page.evaluate("document.activeElement.blur()")
    first, second = titles(page)[:2]
    page.keyboard.press("j")
    check("j goes to the first row", active(page) == f"button {first}", active(page))
    page.keyboard.press("j")
    check("j goes to the next row", active(page) == f"button {second}", active(page))
    page.keyboard.press("k")
    check("k goes back", active(page) == f"button {first}", active(page))
    page.keyboard.press("Enter")
    check("Enter opens the details", until(page, "document.querySelector('aside .fields')") and "h2" in active(page), active(page))
    page.keyboard.press("Escape")
    check("Escape closes them and goes back to the row", active(page) == f"button {first}", active(page))
    page.keyboard.press("x")
    check("x is done", until(page, "(title) => [...document.querySelectorAll('.row.done [data-title]')].some((one) => one.textContent === title)", first))
    page.wait_for_timeout(3300)
    check("a row with the focus does not sink", titles(page)[0] == first and active(page) == f"button {first}", titles(page)[:2])
    page.keyboard.press("x")
    check("x again is not done", until(page, "(title) => ![...document.querySelectorAll('.row.done [data-title]')].some((one) => one.textContent === title)", first))
    check("x keeps the focus", active(page) == f"button {first}", active(page))
    page.wait_for_timeout(700)
    page.keyboard.press("j")
    page.keyboard.press("x")
    page.wait_for_timeout(300)
    page.keyboard.press("k")
    check("a done row sinks after three seconds without focus", until(page, "(title) => { const all = [...document.querySelectorAll('main [data-title]')]; const at = all.findIndex((one) => one.textContent === title); return at > 1; }", second, 5000), titles(page))
    page.keyboard.press("u")
    check("u undoes", until(page, "(title) => ![...document.querySelectorAll('.row.done [data-title]')].some((one) => one.textContent === title)", second), titles(page))
    check("u keeps the focus", active(page) == f"button {first}", active(page))

    page.focus(f"{row('Descale the kettle')} [data-title]")
    after = titles(page)[titles(page).index("Descale the kettle") + 1]
    page.keyboard.press("Delete")
    check("Delete deletes the row", until(page, "![...document.querySelectorAll('[data-title]')].some((one) => one.textContent === 'Descale the kettle')"))
    check("the focus goes to the next row", active(page) == f"button {after}", active(page))
    page.click(".toast >> text=Undo")
    check("Undo brings it back", until(page, "[...document.querySelectorAll('[data-title]')].some((one) => one.textContent === 'Descale the kettle')"))
    check("the focus is not lost with the toast", active(page) != "body", active(page))
    same_as_fresh(page, world, "list after keys")

    page.keyboard.press("?")
    check("? shows the keys", until(page, "document.querySelector('dialog[open]')?.textContent.includes('previous entry')"))
    page.keyboard.press("j")
    page.keyboard.press("Escape")
    check("Escape closes the dialog", until(page, "!document.querySelector('dialog[open]')"))
    switched_off(world, page)


def switched_off(world, page):
    check = world.check
    page.click("nav.side >> text=Settings")
    heading(page, "Settings")
    page.uncheck("text=Use single-key shortcuts")
    page.keyboard.press("g")
    page.keyboard.press("t")
    page.wait_for_timeout(300)
    check("single keys can be switched off", page.text_content("h1") == "Settings")
    page.check("text=Use single-key shortcuts")
    kept = page.evaluate("Object.keys(localStorage).map((key) => localStorage[key]).join()")
    check("only preferences are stored", page.evaluate("localStorage.length") == 1 and "Home" not in kept, kept)
    check("the page blocks style attributes", page.evaluate("() => { const i = document.createElement('i'); i.setAttribute('style', 'color:red'); return i.style.color; }") == "")
    world.pages.complaints[:] = [one for one in world.pages.complaints if "style" not in one or "Content Security" not in one]
    page.context.close()
