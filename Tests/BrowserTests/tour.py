"""Tests the page: python tour.py PROGRAM [--shots FOLDER] [--only NAME,…], or --address of a running page."""

import argparse
import sys

from playwright.sync_api import sync_playwright

import adding
import budgets
import colours
import fixture
import hostile
import keyboard
import live
import looks
import noscript
import past
import wire
from checks import Checks
from pages import Pages, chromium
from world import World

TRIALS = {
    "colours": colours.trial, "looks": looks.trial, "widths": looks.widths, "keyboard": keyboard.trial, "adding": adding.trial, "nesting": adding.nesting, "repeats": adding.repeats, "draw": adding.draw, "past": past.trial,
    "live": live.trial, "conflicts": adding.conflicts, "hostile": hostile.trial, "noscript": noscript.trial, "wire": wire.trial,
    "budgets": budgets.trial, "ending": live.ending,
}


def main():
    words = argparse.ArgumentParser()
    words.add_argument("program", nargs="?")
    words.add_argument("--address")
    words.add_argument("--shots")
    words.add_argument("--only", default=",".join(TRIALS))
    given = words.parse_args()
    if not given.program and not given.address:
        words.error("give a program, or the address of a page")
    check = Checks()
    world = World(given.program, given.address, check, given.shots)
    with sync_playwright() as playwright:
        browser = chromium(playwright)
        if browser is None:
            print("skipped: Chromium is not installed")
            return 0
        try:
            if given.program:
                fixture.make(world)
                world.start()
            world.pages = Pages(browser, world)
            for name in given.only.split(","):
                check.run(name, TRIALS[name], world)
            check.group = "console"
            check("no message", not world.pages.complaints, world.pages.complaints[:5])
            check("no foreign request", not world.pages.foreign, world.pages.foreign[:5])
        finally:
            browser.close()
            world.close()
    return check.result()


if __name__ == "__main__":
    sys.exit(main())
