"""The vectors of section 9.2: an invitation, its proof, and the errors of invalid texts."""

import base64
import hmac
import re

from daybook import sha
from good import vector

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
LEAST = 88  # characters
INVITER, SECRET, JOINER = bytes(range(32)), bytes(range(200, 216)), bytes([1] * 32)


def checksum(content):
    return sha(b"daybook invitation v1", content)[:4]


def invitation(key, secret, address):
    content = key + secret + address
    return "daybook1:" + base64.b32encode(content + checksum(content)).decode().rstrip("=")


def proof(secret, inviter, joiner):
    return hmac.digest(secret, b"daybook join v1" + inviter + joiner, "sha256")


def is_right(letters):
    if len(letters) % 8 in (1, 3, 6):
        return False
    content = base64.b32decode(letters + "=" * (-len(letters) % 8))
    is_canonical = base64.b32encode(content).decode().rstrip("=") == letters
    return is_canonical and checksum(content[:-4]) == content[-4:]


def mistyped(letters):
    """The position of the first character whose replacement makes the checksum match."""
    for place in range(len(letters) if len(letters) <= 2 * LEAST else 0):
        before, after = letters[:place], letters[place + 1 :]
        if any(is_right(before + each + after) for each in LETTERS):
            return place + 1
    return "none"


def fault(text):
    """The first error of text; None for an invitation with any key and address."""
    begin = re.match("(daybook[0-9]*):", text)
    if not begin:
        return "noInvitation"
    if begin[1] != "daybook1":
        return f'otherVersion("{begin[1]}")'
    letters = re.sub("[ -]", "", text[begin.end() :]).upper()
    for place, letter in enumerate(letters, 1):
        if letter not in LETTERS:
            return f'letter("{letter}", at: {place})'
    if len(letters) < LEAST:
        return f"cut(letters: {len(letters)})"
    return None if is_right(letters) else f"mistyped(at: {mistyped(letters)})"


GOOD = invitation(INVITER, SECRET, b"192.168.1.7:7771")
BAD = ["daybook2:AAAQEAYE", "daybook:AAAQEAYE", "AAAQEAYE", "daybook1:AAAQEAYE", "daybook1:AAAQ1AYE"]
BAD += [GOOD[:-1] + "A", GOOD[:-2], GOOD[:9] + "B" + GOOD[10:]]
vector(
    "invitation",
    ("key", INVITER),
    ("secret", SECRET),
    ("address", "192.168.1.7:7771"),
    ("invitation", GOOD),
    ("joiner", JOINER),
    ("proof", proof(SECRET, INVITER, JOINER)),
)
SSH = "ssh://ada@desk:2222/my book"
vector(
    "invitation with an ssh address",
    ("key", INVITER),
    ("secret", SECRET),
    ("address", SSH),
    ("invitation", invitation(INVITER, SECRET, SSH.encode())),
)
assert fault(GOOD) is None
rows = [[(f"text {n}", text), (f"error {n}", fault(text))] for n, text in enumerate(BAD, 1)]
vector("bad invitations", *sum(rows, []))
