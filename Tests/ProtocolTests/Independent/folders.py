"""The vectors of section 11: the names of files of a directory peer, a file, and what is read of such files."""

import re

from bundles import DESK_FRAMES, Reading, assembled, span, stored_events
from daybook import sha
from good import DESK, desk, phone, vector
from messages import LAST
from reader import Bad, Frame
from sessions import OWN_BOOK, PHONE_FRAME

NAME = re.compile("([0-9]{12,})-([0-9]{12,})-([0-9a-f]{32})([^a-z0-9].*)")
LOSS = re.compile("([0-9]{12,})-([0-9]{12,})-([0-9a-f]{64})[.]lost")


# Names.
def span_of(first, last):
    return f"{first:012}-{last:012}"


def name_of(first, last, content):
    return f"{span_of(first, last)}-{sha(content)[:16].hex()}.gz"


def loss_of(first, last, hash_):
    return f"{span_of(first, last)}-{hash_.hex()}.lost"


def lower(name):
    """The name with lower-case ASCII letters."""
    return "".join(each.lower() if each < "\x7f" else each for each in name)


def parsed(name):
    """The range, the digest and whether the name was changed; the range and the hash of lost events; or None."""
    name = lower(name)
    match = NAME.fullmatch(name) or LOSS.fullmatch(name)
    if not match:
        return None
    first, last, end = int(match[1]), int(match[2]), match[3]
    if not 0 < first <= last < LAST or not name.startswith(span_of(first, last) + "-"):
        return None
    return (first, last, bytes.fromhex(end), match.re is NAME and match[4] != ".gz")


def meaning(name):
    found = parsed(name)
    if not found:
        return "none"
    first, last, end, is_copy = found
    lost = "lost " if len(end) == 32 else ""
    return f"{lost}{first}…{last} {end.hex()}" + (" copy" if is_copy else "")


FILE = b"".join(DESK_FRAMES)
RIGHT = name_of(1, 7, FILE)
DIGEST = sha(FILE)[:16].hex()
HASH = DESK.hash[5].hex()
vector(
    "directory file",
    ("book id", OWN_BOOK),
    ("replica id", desk.id),
    ("first sequence", 1),
    ("last sequence", 7),
    ("digest", sha(FILE)[:16]),
    ("path", f"{OWN_BOOK.hex()}/{desk.id.hex()}/{RIGHT}"),
    ("file", FILE),
)
vector(
    "directory paths",
    *[
        (what, f"{OWN_BOOK.hex()}/{replica.hex()}/{name_of(first, last, content)}")
        for what, replica, first, last, content in [
            ("first frame of the desk", desk.id, 1, 5, DESK_FRAMES[0]),
            ("second frame of the desk", desk.id, 6, 7, DESK_FRAMES[1]),
            ("frame of the phone", phone.id, 1, 4, PHONE_FRAME),
        ]
    ],
)
SOUND = [
    RIGHT,
    RIGHT.upper(),
    RIGHT.replace(".gz", " (conflicted copy).gz"),
    RIGHT.replace(".gz", ".sync-conflict-20261130.gz"),
    RIGHT + "~",
    RIGHT.replace(".gz", "."),
    f"{span_of(LAST - 1, LAST - 1)}-{DIGEST}.gz",
    f"1000000000000-1000000000001-{DIGEST}.gz",
    loss_of(2, 5, DESK.hash[5]),
    loss_of(2, 5, DESK.hash[5]).upper(),
]
SKIPPED = [
    f"1-7-{DIGEST}.gz",
    f"000000000000-000000000007-{DIGEST}.gz",
    f"000000000007-000000000001-{DIGEST}.gz",
    f"0000000000001-000000000007-{DIGEST}.gz",
    f"{span_of(1, LAST)}-{DIGEST}.gz",
    f"+00000000001-000000000007-{DIGEST}.gz",
    f"{span_of(1, 7)}.gz",
    f"{span_of(1, 7)}-{DIGEST}",
    f"{span_of(1, 7)}-{DIGEST[:-1]}.gz",
    f"{span_of(1, 7)}-{DIGEST}0.gz",
    f"{span_of(1, 7)}-{DIGEST[:-1]}g.gz",
    f".tmp-{DIGEST[:16]}",
    f"{span_of(2, 5)}-{HASH[:-1]}.lost",
    f"{span_of(2, 5)}-{HASH}.lost~",
    f"2-5-{HASH}.lost",
    f"000000000005-000000000002-{HASH}.lost",
]
assert not any(map(parsed, SKIPPED)) and all(map(parsed, SOUND))
vector("directory names", *[(name, meaning(name)) for name in SOUND + SKIPPED])


# Reading by a device without events.
def frames(data):
    """The frames at the beginning of a file of the desk."""
    at = 0
    while at < len(data):
        try:
            frame = Frame(data, at)
        except Bad:
            return
        if frame.replica != desk.id[:8]:
            return
        yield data[at : at + frame.length]
        at += frame.length


def result(name, data):
    """The problem of a file in the desk's folder, and the last stored event of each log."""
    found = parsed(name)
    if not found or len(found[2]) == 32:
        return "none", {}
    if sha(data)[:16] != found[2]:
        return "none" if found[3] else "wrongDigest", {}
    reading = Reading()
    whole = list(frames(data))
    for frame in whole:
        reading.store(desk.id, frame)
    length = sum(map(len, whole))
    if length < len(data):
        reading.problems.append(f"notAFrame(at: {length})")
    return " ".join(reading.problems) or "none", reading.stored


WHOLE = span(0, len(FILE))
CUT = span(0, len(FILE) - 1)
ZEROS = f"{WHOLE} +00000000"
SECOND = span(len(DESK_FRAMES[0]), len(FILE))
for what, name, parts in [
    ("the right name", RIGHT, WHOLE),
    ("capitals", RIGHT.upper(), WHOLE),
    ("a copy", SOUND[2], WHOLE),
    ("a damaged copy", SOUND[2], CUT),
    ("not copied yet", RIGHT, CUT),
    ("a range that is not the file's", RIGHT.replace("7-", "6-", 1), WHOLE),
    ("a name that is skipped", SKIPPED[0], WHOLE),
    ("a draft", ".tmp-0011223344556677", WHOLE),
    ("cut before it was named", name_of(1, 7, assembled(CUT, FILE)), CUT),
    ("zeros behind the frames", name_of(1, 7, assembled(ZEROS, FILE)), ZEROS),
    ("events after a gap", name_of(6, 7, DESK_FRAMES[1]), SECOND),
]:
    problem, events = result(name, assembled(parts, FILE))
    told = [("problem", problem), ("stored", stored_events(events))]
    vector("directory: " + what, ("name", name), ("file", parts), *told)
