"""Computes the test vectors of the protocol, and compares them with those in docs/vectors.md or writes them there.

    python3 vectors.py [--write] ../../../docs/vectors.md

It shares no code with the Swift tests, and only names and encoding with the reader in Conformance. Vectors in the
document that this script does not compute are left unchanged. A vector that is missing in the document is written only
if there is a block with its name.
"""

import re
import sys
import zlib

import bad  # noqa: F401: adds its vectors to those of `good`, and so do the next ones
import fold  # noqa: F401
import invitations  # noqa: F401
import keys  # noqa: F401
import series  # noqa: F401
import trust  # noqa: F401
from good import VECTORS
from reader import Bad, Frame

WIDTH = 100
# The version of zlib that deflated the frames in the document; another version may give different bytes.
ZLIB = "1.2.13"
BLOCK = re.compile(r"^```vector ([^\n]+)\n(.*?)^```$", re.S | re.M)


def lines(name):
    """The lines of a block; long byte strings are continued on the next lines."""
    pairs = [(key, v.hex() if isinstance(v, bytes) else str(v)) for key, v in VECTORS[name]]
    longest = max(len(key) for key, _ in pairs)
    for key, value in pairs:
        lead = f"{key.ljust(longest)} = "
        room = max(32, (WIDTH - len(lead)) // 2 * 2)
        if not re.fullmatch(r"[0-9a-f]{48,}", value):
            room = len(value)
        for start in range(0, len(value), room):
            yield lead + value[start : start + room]
            lead = " " * len(lead)


def is_deflated(name):
    """Whether it contains a frame whose bytes depend on the version of zlib."""
    values = [value for _, value in VECTORS[name] if isinstance(value, bytes)]
    return any(value[:2] == b"\x1f\x8b" and value[43] != 1 for value in values)


def misread():
    """The frames that the reader wrongly accepts or refuses."""
    for name, pairs in VECTORS.items():
        member = dict(pairs).get("member")
        try:
            is_taken = member is None or Frame(member).length == len(member)
        except Bad:
            is_taken = False
        if is_taken == name.startswith("bad: "):
            yield name


def main(path, write):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    found = {match.group(1) for match in BLOCK.finditer(text)}
    missing = sorted(set(VECTORS) - found)
    different = []

    def fill(match):
        name = match.group(1)
        if name not in VECTORS or is_deflated(name) and zlib.ZLIB_RUNTIME_VERSION != ZLIB:
            return match.group(0)
        body = "".join(line + "\n" for line in lines(name))
        if body != match.group(2):
            different.append(name)
        return f"```vector {name}\n{body}```"

    filled = BLOCK.sub(fill, text)
    if write:
        with open(path, "w", encoding="utf-8") as file:
            file.write(filled)
    for name in missing:
        print("missing:", name)
    for name in different:
        print("different:", name)
    for name in misread():
        print("misread:", name)
    return 1 if missing or different and not write else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[-1], "--write" in sys.argv))
