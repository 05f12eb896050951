"""Tests colours that no tool can check on the page: text on stripes, from the tokens, and rows of lists, from their rule."""

import pathlib
import random
import re

SHEET = pathlib.Path(__file__).parents[2] / "Sources/Web/Assets/page.css"
TOKEN = re.compile(r"--([\w-]+): light-dark\(#(\w+), #(\w+)\);")
# Examples from the specification: the colour of a list, the colours of its rows in the light theme, and the colour of
# the text.
GOLDEN = [
    ("#2f6f6a", ["#2f6f6a", "#2c6763", "#29605b", "#255854", "#22504c"], "#ffffff"),
    ("#f1c40f", ["#f1c40f", "#e0b60e", "#d0a90d", "#bf9b0c", "#ae8d0b"], "#000000"),
    ("#000000", ["#404040", "#303030", "#202020", "#101010", "#000000"], "#ffffff"),
    ("#777777", ["#989898", "#8f8f8f", "#878787", "#7e7e7e", "#767676"], "#000000"),
]
RULE = """async ([module, asked]) => {
  const { gradient } = await import(module);
  return asked.map(([colour, count, dark]) => gradient(colour, count, dark));
}"""


def trial(world):
    stripes(world.check)
    page = world.pages.browser.new_page()
    page.goto(world.address + "settings")
    module = page.evaluate("() => document.documentElement.dataset.base") + "assets/gradient.js"
    rows(world.check, lambda asked: page.evaluate(RULE, [module, asked]))
    page.close()


def stripes(check):
    """A stripe is amber with 8 % opacity over the background."""
    tokens = {name: (numbers(light), numbers(dark)) for name, light, dark in TOKEN.findall(SHEET.read_text())}
    for place, (text, ground) in {"the banner": ("amber", "amber-wash"), "later entries": ("ink2", "aged")}.items():
        for theme, name in enumerate(("light", "dark")):
            under = tokens[ground][theme]
            stripe = [one + (over - one) * 0.08 for one, over in zip(under, tokens["amber"][theme])]
            found = min(contrast(tokens[text][theme], one) for one in (under, stripe))
            check(f"text on the stripes of {place}, {name}: {found:.2f}, at least 4.5", found >= 4.5)


def rows(check, rule):
    for (colour, wanted, on), found in zip(GOLDEN, rule([[colour, 5, False] for colour, _, _ in GOLDEN])):
        check.equal(f"the rows of {colour}", (found["rows"], found["on"]), (wanted, on))
    dice = random.Random(1)
    asked = [[f"#{dice.randrange(1 << 24):06x}", count, dark]
             for _ in range(300) for count in (1, 2, 7, 40, 120) for dark in (False, True)]
    worst, rising = 99, []
    for question, found in zip(asked, rule(asked)):
        colours = [numbers(row[1:]) for row in found["rows"]]
        worst = min(worst, *(contrast(numbers(found["on"][1:]), one) for one in colours))
        lights = [luminance(one) for one in colours]
        if any(after > before for before, after in zip(lights, lights[1:])):
            rising.append(question)
    check(f"text on rows of any colour: {worst:.3f}, at least 4.5", worst >= 4.5)
    check("no row is lighter than the one above it", not rising, rising[:3])


def numbers(digits):
    digits = "".join(one * 2 for one in digits) if len(digits) == 3 else digits
    return [int(digits[at:at + 2], 16) for at in (0, 2, 4)]


def luminance(colour):
    parts = [one / 255 for one in colour]
    r, g, b = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one, other):
    light, deep = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (deep + 0.05)
