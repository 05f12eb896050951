"""Tests quick add, refusals, done, undo by button, details, the draw with and without motion, and conflicts."""

from pages import active, go, row, same_as_fresh, shot, titles, until

HAS = "(title) => [...document.querySelectorAll('main [data-title]')].some((one) => one.textContent === title)"


def trial(world):
    check = world.check
    page = world.pages.open()
    page.fill(".add .text", "Sharpen the skates tomorrow")
    check("chips show the words that were read", until(page, "[...document.querySelectorAll('.chip')].some((one) => one.textContent.includes('tomorrow'))"))
    shot(page, world, "quick-add")
    page.click(".add .chip")
    check("× takes the words back as text", until(page, "!document.querySelector('button.chip')") and active(page).startswith("input"), active(page))
    page.fill(".add .text", "")
    page.fill(".add .text", "Sharpen the skates tomorrow")
    until(page, "document.querySelector('button.chip')")
    page.check(".add input[value=high]", force=True)
    page.focus(".add .text")
    page.keyboard.press("Enter")
    check("Enter adds", until(page, HAS, "Sharpen the skates"), titles(page))
    check("and keeps the focus on the empty line", until(page, "document.querySelector('.add .text').value === '' && document.activeElement.matches('.add .text')"), active(page))
    chips = "[...document.querySelectorAll('button.chip')].map((one) => one.textContent).join()"
    page.fill(".add .text", "Film tomorrow +noir")
    check("each part is a chip", until(page, f"{chips} === 'due tomorrow,#noir'"), page.evaluate(chips))
    page.focus(".add .text")
    page.keyboard.press("End")
    page.keyboard.press("Backspace")
    check("Backspace after a part turns it back into text", until(page, f"{chips} === 'due tomorrow'") and page.input_value(".add .text") == "Film tomorrow +noir", page.evaluate(chips))
    page.keyboard.press("Backspace")
    check("and the next one deletes a letter", page.input_value(".add .text") == "Film tomorrow +noi", page.input_value(".add .text"))
    page.fill(".add .text", "Film !high")
    check("a word sets the priority", until(page, "document.querySelector('.add input[value=high]')?.checked"))
    page.check(".add input[value=low]", force=True)
    check("and its control replaces the word", until(page, "document.querySelector('.add input[value=low]')?.checked") and page.input_value(".add .text") == "Film", page.input_value(".add .text"))
    page.fill(".add .text", "")
    page.fill(".add .text", "Mary Shelley 30 aug 1797")
    check("a past year proposes a birthday", until(page, "document.querySelector('.add input[value=birthday]')?.checked"))
    page.fill(".add .text", "")
    same_as_fresh(page, world, "today after adding")

    page.click("nav.side >> text=Home")
    until(page, HAS, "Buy Eggos")
    page.focus(".add .text")
    page.keyboard.type("   ")
    page.keyboard.press("Enter")
    check("an empty name is refused under the line", until(page, "document.querySelector('.fault')?.textContent.length > 5"), page.text_content(".add"))
    check("the refused text stays", page.input_value(".add .text") == "   ", repr(page.input_value(".add .text")))
    page.fill(".add .text", "")
    details(world, page)
    page.context.close()


def details(world, page):
    check = world.check
    page.click(f"{row('Fix the garden gate')} [data-title]")
    check("details open next to the leaf", until(page, "document.querySelector('aside #field-note')"))
    page.fill("#field-note", "The hinge squeaks")
    page.focus("#field-title")
    check("a field is saved when it loses the focus", until(page, "document.querySelector('.story')?.textContent.includes('squeaks')"), page.text_content(".story"))
    page.check("aside input[value=high]", force=True)
    check("the priority moves the row", until(page, f"document.querySelector(\"[data-row] .dot.high\")"))
    page.fill("#field-title", " ")
    page.focus("#field-note")
    check("a refusal is shown under its field", until(page, "document.querySelector('aside .fault')"))
    page.fill("#field-title", "Fix the garden gate")
    page.focus("#field-note")
    page.fill("#field-note", "It is mended")
    page.keyboard.press("Escape")
    check("closing goes back to the row", "Fix the garden gate" in active(page), active(page))
    page.click(f"{row('Fix the garden gate')} [data-title]")
    check("unsaved text is saved on closing", until(page, "document.querySelector('#field-note')?.value === 'It is mended'"))
    page.keyboard.press("Escape")
    same_as_fresh(page, world, "list after details")
    phone = world.pages.open(page.url.removeprefix(world.address), width=390, height=844)
    phone.click(f"{row('Fix the garden gate')} [data-title]")
    check("on a phone the details are a sheet", until(phone, "document.querySelector('dialog[open] #field-note')"))
    shot(phone, world, "sheet")
    phone.keyboard.press("Escape")
    check("closing the sheet returns the focus", until(phone, "!document.querySelector('dialog[open]')") and "Fix the garden gate" in active(phone), active(phone))
    backs(world, phone)
    phone.context.close()


def backs(world, phone):
    """A sheet is an entry of the browser's history."""
    check = world.check
    here, closed = phone.url, "!document.querySelector('dialog[open]')"
    opened = "document.querySelector('dialog[open] #field-note')"
    gate = f"{row('Fix the garden gate')} [data-title]"
    for way in ["Back", "Escape", "Back"]:
        phone.click(gate)
        until(phone, opened)
        if way == "Back":
            phone.evaluate("history.back()")
        else:
            phone.keyboard.press(way)
        check(f"{way} closes a sheet and stays on the page", until(phone, closed) and phone.url == here, phone.url)
        phone.wait_for_timeout(150)
    phone.click("nav.tabs >> text=Lists")
    until(phone, "document.querySelector('h1').textContent === 'Lists'")
    phone.evaluate("history.back()")
    check("Back goes to the page before, however many sheets there were", until(phone, "document.querySelector('h1').textContent !== 'Lists'") and phone.url == here, phone.url)
    phone.evaluate("history.forward()")
    check("and Forward returns", until(phone, "document.querySelector('h1').textContent === 'Lists'"))


def nesting(world):
    """Sub-tasks in a list, and the page of one to-do."""
    check = world.check
    page = world.pages.open(f"lists/{world.list_id('Winter reading')}")
    levels = "[...document.querySelectorAll('main .row')].map((one) => `${one.ariaLevel ?? 1} ${one.querySelector('[data-title]').textContent}`).join()"
    check("sub-tasks are below their parents", page.evaluate(levels) == "1 Middlemarch,2 Book one,3 Chapter 1", page.evaluate(levels))
    lefts = page.evaluate("[...document.querySelectorAll('main .check')].map((one) => one.getBoundingClientRect().left)")
    check("and indented", [right - left for left, right in zip(lefts, lefts[1:])] == [22, 22], lefts)
    page.click(f"{row('Book one')} [data-title]")
    until(page, "document.querySelector('aside #field-parent')")
    check("the details name the parent", page.input_value("#field-parent") == "Middlemarch")
    page.fill("#field-parent", "Nonsense")
    page.focus("#field-title")
    check("an unknown title is refused under its field", until(page, "document.querySelector('aside .fault')?.textContent.includes('Nonsense')"))
    page.fill("#field-parent", "Middlemarch")
    page.focus("#field-title")
    page.click("aside >> text=Part of Middlemarch")
    check("a link leads to the parent", until(page, "document.querySelector('h1').textContent === 'Middlemarch'") and titles(page) == ["Book one"], titles(page))
    page.fill(".add .text", "Book two")
    page.press(".add .text", "Enter")
    check("its line adds sub-tasks", until(page, HAS, "Book two"), titles(page))
    page.click(".title-line .round")
    page.click(".deeds button:text-is('Done')")
    said = "document.querySelector('.toast p')?.textContent"
    check("sub-tasks are done with it, and counted", until(page, f"{said} === 'Completed “Middlemarch” and 3 sub-tasks.'"), page.evaluate(said))
    page.click(".toast >> text=Undo")
    check("and open again together", until(page, "!document.querySelector('main .row.done')"))
    page.keyboard.press("Escape")
    same_as_fresh(page, world, "a to-do")
    world.do(command="add", kind="todo", text="Loose end")
    go(page, world, "lists")
    page.click("main >> text=No list")
    check("to-dos on no list have a page", until(page, "document.querySelector('h1').textContent === 'No list'") and "Loose end" in titles(page), titles(page))
    check("without details of a list", page.locator(".title-line .round").count() == 0)
    check("a normal priority has no mark", page.locator("main .row", has_text="Loose end").locator(".pri").count() == 0)
    page.context.close()


def repeats(world):
    """A to-do that repeats: its line, its mark, done, skip, and the dates that an edit changes."""
    check = world.check
    page = world.pages.open(f"lists/{world.list_id('Someday')}")
    page.fill(".add .text", "Water the ferns every mon")
    chip = "document.querySelector('button.chip')?.textContent"
    check("a repeat phrase is a chip with its first date", until(page, f"{chip}?.startsWith('every Mon, first ')"), page.evaluate(chip))
    page.press(".add .text", "Enter")
    mark = "document.querySelector('main .row .in')?.textContent"
    check("the row has the mark and the rule", until(page, f"{mark} === 'repeats every Mon'"), page.evaluate(mark))
    due, said = "document.querySelector('main .row time')?.dateTime", "document.querySelector('.toast p')?.textContent"
    first = page.evaluate(due)
    page.focus(f"{row('Water the ferns')} [data-title]")
    page.keyboard.press("x")
    check("done shows the next date", until(page, f"(first) => {due} > first && !document.querySelector('main .row .check').checked", first), page.evaluate(due))
    check("and names it", page.evaluate(said).startswith("Completed “Water the ferns”, next Mon "), page.evaluate(said))
    check("the focus stays on the row", active(page) == "button Water the ferns", active(page))
    second = page.evaluate(due)
    page.keyboard.press("Enter")
    until(page, "document.querySelector('aside #field-repeat')")
    page.focus(".deeds button:text-is('Skip this date')")
    page.keyboard.press("Enter")
    check("a date is skipped by key", until(page, f"(second) => {due} > second", second) and page.evaluate(said).startswith("Skipped"), page.evaluate(said))
    edits_of_dates(world, page)
    page.click("aside >> text=Dates, sub-tasks")
    headings = "[...document.querySelectorAll('main h2')].map((one) => one.textContent).join()"
    check("its page has the next and the past dates", until(page, f"{headings} === 'Next dates,Past dates'"), page.evaluate(headings))
    check("each past date has its outcome", page.evaluate("[...document.querySelectorAll('main .edge .done')].map((one) => one.textContent).join()") == "skipped,done")
    same_as_fresh(page, world, "a to-do that repeats")
    page.click("main .back")
    page.click(f"{row('Water the ferns')} [data-title]")
    page.click(".deeds button:text-is('Delete')")
    check("it is deleted with its repeats", until(page, f"{said} === 'Deleted “Water the ferns” and its repeats.'"), page.evaluate(said))
    page.context.close()


def edits_of_dates(world, page):
    check = world.check
    page.select_option("#field-scope", "this")
    page.fill("#field-title", "Mist the ferns")
    page.focus("#field-note")
    check("one date gets another title", until(page, HAS, "Mist the ferns"), titles(page))
    check("and the choice of the dates stays", page.input_value("#field-scope") == "this")
    page.fill("#field-repeat", "daily")
    page.focus("#field-note")
    check("a rule for one date is refused under its field", until(page, "document.querySelector('aside .fault')?.textContent.includes('All dates')"))
    page.select_option("#field-scope", "all")
    page.fill("#field-repeat", "jeden Montag bis 2099-12-31")
    page.focus("#field-note")
    check("a rule is worded back", until(page, "document.querySelector('#field-repeat').value === 'every Mon until 2099-12-31'"), page.input_value("#field-repeat"))


def draw(world):
    check = world.check
    page = world.pages.open("choose", reduced_motion="reduce")
    page.click("main >> text=Lunch?")
    until(page, "document.querySelector('.choose')")
    page.evaluate("""() => { window.lit = 0; new MutationObserver(() => { if (document.querySelector('.lit')) window.lit += 1; })
      .observe(document.querySelector('main'), { subtree: true, attributes: true, childList: true }); }""")
    page.keyboard.press("c")
    check("c draws", until(page, "document.querySelector('.answer')"))
    check("without motion no row is ever lit", page.evaluate("window.lit") == 0)
    page.click("text=Why?")
    drawn = page.text_content(".answer")
    check("why names the drawn ticket's holder", page.evaluate("(name) => document.querySelector('.draw').textContent.includes(name + ' holds')", drawn))
    check("the number line shows one ticket", page.locator(".tickets .ticket").count() == 1)
    shot(page, world, "why")
    page.context.close()
    page = world.pages.open("choose")
    page.click("main >> text=Lunch?")
    until(page, "document.querySelector('.choose')")
    page.evaluate("""() => { window.lit = []; new MutationObserver(() => { const at = document.querySelector('.lit [data-title]'); if (at && window.lit.at(-1) !== at.textContent) window.lit.push(at.textContent); })
      .observe(document.querySelector('main'), { subtree: true, attributes: true }); }""")
    page.click(".choose")
    check("the answer comes after the hops", until(page, "window.lit.length > 3 && document.querySelector('.answer')", timeout=9000))
    check("they end on it", page.evaluate("window.lit.at(-1)") == page.text_content(".answer"))
    check("the draw keeps the focus", active(page) == "button Choose", active(page))
    weight = page.locator(".weigh output").first
    before = int(weight.text_content())
    page.locator(".weigh button[aria-label^=Raise]").first.click()
    check("+ raises the weight", until(page, "(wanted) => document.querySelector('.weigh output').textContent === wanted", str(before + 1)))
    page.wait_for_timeout(900)
    check("the weight is kept", weight.text_content() == str(before + 1))
    same_as_fresh(page, world, "question")
    page.context.close()
    page = world.pages.open("choose")
    page.click("main >> text=Which film?")
    check("without tickets nothing is drawn, and the reason is shown", until(page, "document.querySelector('.choose')?.disabled && document.querySelector('#no-draw')?.textContent.length > 5"))
    page.context.close()


def conflicts(world):
    check = world.check
    page = world.pages.open("conflicts")
    count = page.locator(".account").count()
    check("each conflict is an account", count == 2, count)
    shot(page, world, "conflicts")
    page.locator(".account", has_text="Ada Lovelace").locator("input[type=radio]").nth(1).check()
    page.locator(".account", has_text="Ada Lovelace").locator("text=Settle").click()
    check("a settled conflict disappears", until(page, "document.querySelectorAll('.account').length === 1"))
    check("the focus is not lost", active(page) != "body", active(page))
    page.keyboard.press("u")
    check("u undoes it", until(page, "document.querySelector('.toast p')?.textContent.startsWith('Undid')"))
    page.wait_for_timeout(600)
    if page.locator("text=Settle all: newest wins").count():
        page.click("text=Settle all: newest wins")
    else:  # a conflict settled by a value stays settled when the value is undone
        page.click(".account .btn.main")
    check("all conflicts can be settled in one step", until(page, "document.querySelectorAll('.account').length === 0"))
    check("nothing is left to settle", until(page, "document.querySelector('.empty')"))
    check("the focus is not lost after that", active(page) != "body", active(page))
    if world.program:
        check("the program agrees", world.cli("conflicts").startswith("No conflicts"), world.cli("conflicts"))
    same_as_fresh(page, world, "conflicts")
    page.context.close()
