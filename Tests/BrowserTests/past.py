"""Tests time travel with slider, steps, date field and keys, and that the past is read-only in every view."""

from pages import active, same_as_fresh, shot, until

N = "Number(document.querySelector('.slider').value)"


def trial(world):
    check = world.check
    page = world.pages.open("history")
    last = page.evaluate(N)
    check("history begins at the last entry", page.text_content(".fig") == str(last))
    page.focus(".slider")
    page.keyboard.press("ArrowLeft")
    check("the slider goes back an entry", until(page, "(n) => document.querySelector('.fig').textContent === String(n)", last - 1))
    check("the address has the moment", until(page, "new URL(location).searchParams.get('at')"))
    check("the slider says what it shows", f"entry {last - 1} of {last}" in page.get_attribute(".slider", "aria-valuetext"), page.get_attribute(".slider", "aria-valuetext"))
    check("and keeps the focus", "Entry" in active(page), active(page))
    page.keyboard.press("PageDown")
    check("Page down goes a day back", until(page, f"(n) => {N} < n - 2 || {N} === 0", last))
    page.keyboard.press("Home")
    check("Home goes before the first entry", until(page, "document.querySelector('.fig').textContent === '0'"))
    check("which says so", "before the first entry" in page.text_content(".banner"), page.text_content(".banner"))
    page.keyboard.press("End")
    check("End goes to now", until(page, "!document.querySelector('.banner.past') && !location.search"))
    for label, wanted in [("Before the first entry", 0), ("Next entry", 1), ("Next entry", 2), ("Previous entry", 1), ("Now", last)]:
        page.click(f"button[aria-label='{label}']")
        check(f"{label}: entry {wanted}", until(page, "(n) => document.querySelector('.fig').textContent === String(n)", wanted), page.text_content(".fig"))
    days = page.locator(".days button")
    middle = days.count() // 2
    days.nth(middle).click()
    check("a bar goes to the end of its day", until(page, "document.querySelector('.banner.past')"))
    day = page.evaluate("document.querySelector('.row.current')?.closest('section')?.querySelector('h2').textContent")
    value = page.input_value(".steps input")
    page.click("button[aria-label='Now']")
    until(page, "!document.querySelector('.banner.past')")
    page.fill(".steps input", value)
    check("the date box goes there too", until(page, "(day) => document.querySelector('.row.current')?.closest('section')?.querySelector('h2').textContent === day", day), (value, day))
    check("later entries are striped, at most two", page.locator(".row.later").count() <= 2)
    shot(page, world, "history-past")
    read_only(world, page)
    page.context.close()


def read_only(world, page):
    check = world.check
    at = page.evaluate("new URL(location).searchParams.get('at')")
    for words in ["Today", "Birthdays", "Choose"]:
        page.click(f"nav.side >> text={words}")
        until(page, "document.activeElement?.localName === 'h1'")
        check(f"{words}: the moment stays", page.evaluate("new URL(location).searchParams.get('at')") == at and page.locator(".banner.past").count() == 1)
        check(f"{words}: no quick add", page.locator(".add").count() == 0)
        check(f"{words}: nothing can be changed", page.locator("main input:enabled:not(.slider):not([name=sort]):not([data-search])").count() == 0)
    page.keyboard.press("]")
    check("] goes forward an entry", until(page, "(at) => new URL(location).searchParams.get('at') !== at", at))
    page.keyboard.press("[")
    check("[ goes back", until(page, "(at) => new URL(location).searchParams.get('at') === at", at))
    same_as_fresh(page, world, "the past")
    page.keyboard.press("0")
    check("0 goes back to now", until(page, "!document.querySelector('.banner.past')"))
