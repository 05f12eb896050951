"""The `vector` blocks of a document."""

import re

WIDTH = 100
BLOCK = re.compile(r"^```vector ([^\n]+)\n(.*?)^```$", re.S | re.M)
# Byte strings and sealed names, which are continued on the next lines.
LONG = re.compile(r"([el]-|daybookstore1:)?[0-9a-z]{48,}")


def names(path):
    """The names of the blocks of a document."""
    with open(path, encoding="utf-8") as file:
        return {match.group(1) for match in BLOCK.finditer(file.read())}


def lines(pairs):
    """The lines of a block."""
    pairs = [(key, v.hex() if isinstance(v, bytes) else str(v)) for key, v in pairs]
    longest = max(len(key) for key, _ in pairs)
    for key, value in pairs:
        lead = f"{key.ljust(longest)} = "
        room = max(32, (WIDTH - len(lead)) // 2 * 2)
        if not LONG.fullmatch(value):
            room = max(len(value), 1)
        for start in range(0, max(len(value), 1), room):
            yield lead + value[start : start + room]
            lead = " " * len(lead)


def compare(path, vectors, write):
    """Compares the blocks of a document with vectors of the same names, or writes the vectors there.

    Prints the names of the vectors that are missing or differ. Returns 0 if there are none, otherwise 1.
    """
    with open(path, encoding="utf-8") as file:
        text = file.read()
    missing = sorted(set(vectors) - names(path))
    different = []

    def fill(match):
        name = match.group(1)
        if name not in vectors:
            return match.group(0)
        body = "".join(line + "\n" for line in lines(vectors[name]))
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
    return 1 if missing or different and not write else 0
