"""Computes the test vectors of the protocol, and compares them with those in docs/vectors.md or writes them there.

    python3 vectors.py [--write] ../../../docs/vectors.md

It shares no code with the Swift tests, and only names and encoding with the reader in Conformance. Vectors in the
document that this script does not compute are left unchanged. A vector that is missing in the document is written only
if there is a block with its name.
"""

import sys
import zlib

import bad  # noqa: F401: adds its vectors to those of `good`, and so do the next ones, except `blocks`
import blocks
import bundles  # noqa: F401
import corners  # noqa: F401
import disputes  # noqa: F401
import fold  # noqa: F401
import folders  # noqa: F401
import invitations  # noqa: F401
import keys  # noqa: F401
import refusals  # noqa: F401
import series  # noqa: F401
import trust  # noqa: F401
import turns  # noqa: F401
from good import VECTORS
from reader import Bad, Frame

# The version of zlib that deflated the frames in the document; another version may give different bytes.
ZLIB = "1.2.13"


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
    computed = {
        name: pairs
        for name, pairs in VECTORS.items()
        if zlib.ZLIB_RUNTIME_VERSION == ZLIB or not is_deflated(name) or name not in blocks.names(path)
    }
    result = blocks.compare(path, computed, write)
    for name in misread():
        print("misread:", name)
    return result


if __name__ == "__main__":
    sys.exit(main(sys.argv[-1], "--write" in sys.argv))
