"""Runs Chromium, and records every message in its console and every request to another host."""

import os
import shutil
import time

NORMAL = """() => {
  const tell = (node) => {
    if (node.nodeType === 3) return node.data;
    if (node.nodeType !== 1) return "";
    const attributes = [...node.attributes].map(({ name, value }) => name === "style"
      ? `style=${value.split(";").map((one) => one.trim()).filter(Boolean).sort().join(";")}` : `${name}=${value}`)
      .filter((one) => one !== "class=" && one !== "style=").sort().join(" ");
    const own = node.localName === "input" ? `[${node.type === "checkbox" || node.type === "radio" ? node.checked : node.value}]` : "";
    return `<${node.localName} ${attributes}>${own}${[...node.childNodes].map(tell).join("")}`;
  };
  return ["main", "nav.side", "nav.tabs"].map((one) => tell(document.querySelector(one))).join("\\n");
}"""


def chromium(playwright):
    where = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    return playwright.chromium.launch(executable_path=where, args=["--no-sandbox"]) if where else None


class Pages:
    def __init__(self, browser, world):
        self.browser = browser
        self.world = world
        self.complaints = []
        self.foreign = []

    def hear(self, message):
        """A refusal is an answer of the server, which the browser also reports in its console."""
        if "status of 400" not in message.text:
            self.complaints.append(f"{message.type}: {message.text}")

    def open(self, path="", width=1200, height=860, quiet=False, **options):
        context = self.browser.new_context(viewport={"width": width, "height": height}, locale="en-GB", timezone_id="UTC", **options)
        page = context.new_page()
        page.set_default_timeout(5000)
        if not quiet:
            page.on("console", self.hear)
            page.on("pageerror", lambda fault: self.complaints.append(f"error: {fault}"))
        page.on("request", lambda request: None if request.url.startswith((self.world.origin, "data:")) else self.foreign.append(request.url))
        go(page, self.world, path)
        return page


def ready(page):
    """Waits until the script controls the page."""
    until(page, "document.querySelector('main h1') && document.querySelector('.toast')")


def go(page, world, path):
    page.goto(world.address + path)
    ready(page)


def until(page, script, argument=None, timeout=3000):
    """Whether the condition becomes true in time; polled from outside, because the policy of the page forbids wait_for_function."""
    end = time.monotonic() + timeout / 1000
    while True:
        if page.evaluate(script, argument):
            return True
        if time.monotonic() > end:
            return False
        page.wait_for_timeout(15)


def active(page):
    """A short description of the element that has the focus."""
    return page.evaluate("""() => { const at = document.activeElement;
      return at === document.body ? "body" : `${at.localName} ${at.getAttribute("aria-label") ?? at.textContent.trim()}`.slice(0, 80); }""")


def titles(page):
    return page.evaluate("[...document.querySelectorAll('main [data-row] [data-title]')].map((one) => one.textContent)")


def row(title):
    return f"main [data-row]:has([data-title] bdi:text-is('{title}'))"


def same_as_fresh(page, world, name):
    """The patched page is equal to the page drawn from scratch."""
    page.evaluate("document.activeElement?.blur?.()")
    page.wait_for_timeout(3200)  # rows that were kept in place have moved
    fresh = page.context.new_page()
    fresh.goto(page.url)
    ready(fresh)
    patched, anew = page.evaluate(NORMAL), fresh.evaluate(NORMAL)
    fresh.close()
    at = next((i for i, (a, b) in enumerate(zip(patched, anew)) if a != b), min(len(patched), len(anew)))
    world.check(f"patched = redrawn, {name}", patched == anew, f"…{patched[max(0, at - 80):at + 80]}… / …{anew[max(0, at - 80):at + 80]}…")


def shot(page, world, name):
    if world.shots:
        os.makedirs(world.shots, exist_ok=True)
        page.screenshot(path=os.path.join(world.shots, f"{name}.png"))
