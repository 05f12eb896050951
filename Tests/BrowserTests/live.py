"""Tests two pages and another process with one book, a server that ends, and changes that a page missed."""

from pages import active, row, same_as_fresh, titles, until

HAS = "(title) => [...document.querySelectorAll('main [data-title]')].some((one) => one.textContent === title)"


def trial(world):
    check = world.check
    first = world.pages.open()
    first.click("nav.side >> text=Home")
    until(first, HAS, "Buy Eggos")
    second = world.pages.open(first.url.removeprefix(world.address), width=390, height=844)
    first.focus(f"{row('Buy Eggos')} [data-title]")
    second.focus(".add .text")
    second.keyboard.type("half a thou")
    second.evaluate("document.activeElement.setSelectionRange(4, 4)")
    first.wait_for_timeout(300)
    world.elsewhere("Arrived by itself")
    check("an addition by another process appears within a second", until(first, HAS, "Arrived by itself", 1000))
    check("to the other page, too", until(second, HAS, "Arrived by itself", 1000))
    check("the focus stays on its row", active(first) == "button Buy Eggos", active(first))
    check("text and caret stay", second.input_value(".add .text") == "half a thou" and second.evaluate("document.activeElement.selectionStart") == 4)
    second.fill(".add .text", "")
    for page in (first, second):
        page.click("main .rest a")
        until(page, "document.querySelector('main .row.done')")
    first.click(f"{row('Arrived by itself')} .check", force=True)
    check("done on one page is done on the other", until(second, "(title) => [...document.querySelectorAll('.row.done [data-title]')].some((one) => one.textContent === title)", "Arrived by itself", 1500))
    first.click(".toast >> text=Undo")
    check("so is Undo", until(second, "(title) => ![...document.querySelectorAll('.row.done [data-title]')].some((one) => one.textContent === title)", "Arrived by itself", 1500))
    same_as_fresh(first, world, "first page")
    same_as_fresh(second, world, "second page")
    check("both show the same", titles(first) == titles(second))
    if world.program:
        missed(world, second)
    else:
        check.skip("257 missed revisions", "needs the program")
    first.context.close()
    second.context.close()


def missed(world, page):
    """More steps than the server remembers while the page is disconnected."""
    page.context.set_offline(True)
    page.evaluate("window.dispatchEvent(new Event('pagehide'))")
    for n in range(260):
        world.cli("edit", "eggos", "--note", f"box {n}")
    page.context.set_offline(False)
    page.evaluate("window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    page.wait_for_timeout(1500)
    same_as_fresh(page, world, "after 260 missed revisions")


def ending(world):
    """Runs last: the server is stopped, and started again on the same port."""
    check = world.check
    if not world.program:
        check.skip("a server that ends", "needs the program")
        return
    page = world.pages.open(quiet=True)
    page.wait_for_timeout(300)
    port = world.port
    world.stop()
    page.wait_for_timeout(2500)
    check("no banner immediately", page.locator(".banner").count() == 0)
    check("after five seconds a banner says that the page may be out of date", until(page, "document.querySelector('.banner')?.textContent.includes('Not connected')", timeout=6000))
    check("and what to do now", "open the address that it prints" in page.locator(".banner").inner_text())
    check("edits are disabled", page.locator("main .check:enabled").count() == 0)
    world.start(port)
    check("a new key is reported", until(page, "document.querySelector('.banner')?.textContent.includes('restarted')", timeout=40000))
    page.context.close()
