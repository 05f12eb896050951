"""Tests the pages without scripts, which add, complete and delete with forms."""

from pages import shot


def trial(world):
    check = world.check
    if not world.program:
        check.skip("forms", "needs the program")
        return
    context = world.pages.browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(world.address)
    check("today has a heading and rows", page.locator("h1").count() == 1 and page.locator("main .row").count() > 3)
    shot(page, world, "no-script-today")
    page.goto(world.address + "lists")
    page.click("main >> text=Home")
    check("a list has rows", page.locator("main .row.todo").count() > 3)
    page.fill(".add input[name=text]", "Written without script +ink \\tomorrow")
    page.press(".add input[name=text]", "Enter")
    mine = page.locator("main .row", has_text="Written without script tomorrow")
    check("a form adds, and reads the words as the script does", mine.count() == 1, page.url)
    mine.locator(".check").click()
    check("a form does", page.locator("main .row", has_text="Written without script").count() == 0)
    page.click("main .rest a")
    check("a link shows the done to-dos", page.locator("main .row.done", has_text="Written without script").count() == 1)
    page.click("main .row >> text=Written without script")
    page.fill(".add input[name=text]", "Part of it")
    page.press(".add input[name=text]", "Enter")
    check("a to-do has a page, which adds sub-tasks", page.locator("main .row", has_text="Part of it").count() == 1, page.url)
    page.fill("#field-note", "No script\nat all")
    page.click("main >> text=Save")
    check("and whose form saves its fields", page.input_value("#field-note") == "No script\nat all", page.input_value("#field-note"))
    page.fill("#field-repeat", "every 2 weeks")
    page.click("main >> text=Save")
    check("a form makes it repeat", page.input_value("#field-repeat") == "every 2 weeks", page.input_value("#field-repeat"))
    page.click("main >> text=Skip this date")
    check("and skips a date", page.locator("main .row", has_text="skipped").count() == 1)
    page.click("main .back")
    page.locator("main .row", has_text="Written without script").first.locator("button", has_text="Delete").click()
    check("a form deletes", page.locator("main .row", has_text="Written without script").count() == 0)
    shot(page, world, "no-script-list")
    page.fill(".add input[name=text]", "  ")
    page.press(".add input[name=text]", "Enter")
    check("a refusal is shown", len(page.text_content("main .fault") or "") > 5)
    for path in ("birthdays", "choose", "history", "conflicts", "devices", "settings"):
        page.goto(world.address + path)
        check(f"{path} has a heading", page.locator("h1").count() == 1)
    context.close()
