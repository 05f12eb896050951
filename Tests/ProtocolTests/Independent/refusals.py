"""The vectors of messages that section 9 or a limit of section 13.1 forbids, by the code of the refusal."""

from daybook import cbor
from good import DESK, desk, phone, vector
from messages import (
    ALIVE, ASKING, BOOK, BROKEN, END, FORMER_BOOKS, FRAME, FRAME_BYTES, HAVE, HELLO, LAST, LIMIT, MESSAGE_BYTES,
    NAME_BYTES, PLACES, PROVE, RANGES, REFUSAL, TEXT_BYTES, VERSION, encoded, framed, refusal,
)
from sessions import ALL_DESK, ALL_PHONE, CODE, DESK_HELLO, FORMER, OWN_BOOK, SECRET_NAME

def bad(name, code, messages, **context):
    for key, message in messages:
        assert refusal(message, **context) == code, key
    vector(name, *messages)


def broken(*cases):
    bad("bad messages of code 3", BROKEN, [(name, framed(content)) for name, content in cases])


def with_place(*place):
    return cbor([END, [list(place)]])


def with_ranges(*ranges):
    return with_place(*ALL_DESK[:3], [list(each) for each in ranges])


def changed(hello, **changes):
    """A hello with other items; `_n` replaces the item n."""
    items = list(hello)
    for key, value in changes.items():
        items[int(key[1:])] = value
    return items


def deep(levels):
    return b"\x81" * (levels - 1) + b"\x80"


PLAIN = [HELLO, 1, 1, OWN_BOOK, [], phone.id, [], phone.incarnation, False]
broken(
    ("nothing", b""),
    ("a number", cbor(6)),
    ("an array of nothing", cbor([])),
    ("a type that is a text", cbor(["alive"])),
    ("an unknown type", cbor([8])),
    ("a type in more bytes than necessary", b"\x81\x18\x06"),
    ("an array of indefinite length", b"\x9f\x06\xff"),
    ("an array that lacks an item", b"\x82\x02"),
    ("something after the message", cbor([END, []]) + b"\0"),
    ("hello without stays", cbor(PLAIN[:8])),
    ("hello with a version below 0", cbor(changed(PLAIN, _1=-1))),
    ("hello with half a book", cbor(changed(PLAIN, _3=OWN_BOOK[:8]))),
    ("hello without former books", cbor(changed(PLAIN, _4=None))),
    ("hello with half a former book", cbor(changed(PLAIN, _4=[FORMER[:8]]))),
    ("hello with a frontier that is a map", cbor(changed(PLAIN, _6={}))),
    ("hello with half an incarnation", cbor(changed(PLAIN, _7=phone.incarnation[:8]))),
    ("hello with a number for stays", cbor(changed(PLAIN, _8=0))),
    ("hello with an addition 33 deep", b"\x8a" + cbor(PLAIN)[1:] + deep(33)),
    ("frame without bytes", cbor([FRAME, phone.id])),
    ("frame with an addition", cbor([FRAME, phone.id, b"", 0])),
    ("frame of half a replica", cbor([FRAME, phone.id[:8], b""])),
    ("frame that is a text", cbor([FRAME, phone.id, "frame"])),
    ("end without a frontier", cbor([END])),
    ("end with an addition", cbor([END, [], 0])),
    ("have without ends", cbor([HAVE, []])),
    ("have with ends below 0", cbor([HAVE, [], -1])),
    ("refusal without a text", cbor([REFUSAL, 5])),
    ("refusal with bytes for the text", cbor([REFUSAL, 5, b"no"])),
    ("refusal with a text that is not UTF-8", b"\x83\x04\x05\x61\xff"),
    ("prove without a port", cbor([PROVE, CODE, "p"])),
    ("prove with half a proof", cbor([PROVE, CODE[:16], "p", None])),
    ("prove with an empty name", cbor([PROVE, CODE, "", None])),
    ("prove with a line feed in the name", cbor([PROVE, CODE, "a\nb", None])),
    ("prove with port 0", cbor([PROVE, CODE, "p", 0])),
    ("prove with port 65536", cbor([PROVE, CODE, "p", 65536])),
    ("prove with half a secret name", cbor([PROVE, CODE, "p", None, SECRET_NAME[:8]])),
    ("alive with an addition", cbor([ALIVE, 0])),
    ("asking with an addition", cbor([ASKING, 0])),
    ("a place without a hash", with_place(*ALL_DESK[:2])),
    ("a place of five", with_place(*ALL_DESK[:3], [[11, 11]], 0)),
    ("a place of half a replica", with_place(desk.id[:8], *ALL_DESK[1:3])),
    ("a place of half a hash", with_place(*ALL_DESK[:2], DESK.hash[9][:16])),
    ("a place at event 2^62", with_place(desk.id, LAST, DESK.hash[9])),
    ("a place twice", cbor([END, [ALL_DESK[:3]] * 2])),
    ("places that descend by replica", cbor([END, [ALL_DESK[:3], ALL_PHONE[:3]]])),
    ("places that descend by sequence", cbor([END, [[desk.id, n, DESK.hash[n]] for n in (9, 5)]])),
    ("places that descend by hash", cbor([END, sorted([[desk.id, 9, h] for h in DESK.hash[8:10]])[::-1]])),
    ("no ranges", with_ranges()),
    ("a range of one number", with_ranges([11])),
    ("a range of three numbers", with_ranges([11, 12, 13])),
    ("a range after no missing event", with_ranges([10, 12])),
    ("a range that descends", with_ranges([12, 11])),
    ("a range up to event 2^62", with_ranges([11, LAST])),
    ("ranges that touch", with_ranges([11, 12], [13, 14])),
    ("ranges that descend", with_ranges([15, 16], [11, 12])),
)
for refused_with, cases in [
    (VERSION, [("of version 0", {"_1": 0, "_2": 0}), ("of versions 2 and 3", {"_1": 2, "_2": 3})]),
    (BOOK, [
        ("of another book", {"_3": FORMER}),
        ("of a book into which the desk's has been joined", {"_3": FORMER, "_4": [OWN_BOOK]}),
    ]),
    (BROKEN, [("of the desk's log", {"_5": desk.id}), ("of another incarnation", {"_7": desk.incarnation})]),
]:
    told = [(name, encoded(*changed(PLAIN, **changes))) for name, changes in cases]
    bad(f"bad hellos of code {refused_with}", refused_with, told, own=DESK_HELLO, key=phone.key)
assert refusal(encoded(*changed(PLAIN, _1=0, _2=2)), own=DESK_HELLO, key=phone.key) is None


# Messages with many items, written as parts: bytes, or `n*` and the bytes of each of n copies.
def expanded(parts):
    """The bytes of the parts; `########` is the number of the copy, from 1."""
    written = []
    for part in parts.split():
        count, _, copy = part.rpartition("*")
        copies = range(1, int(count or 1) + 1)
        if "#" in copy:
            written += [bytes.fromhex(copy.replace("########", f"{number:08x}")) for number in copies]
        else:
            written.append(bytes.fromhex(copy) * len(copies))
    return b"".join(written)


def many(before, head, count, copy, after=""):
    """The parts of a message with a number of copies after their head."""
    parts = f"{before} {head} {count}*{copy} {after}".strip()
    return f"{len(expanded(parts)):08x} {parts}"


# The parts of messages with n items or bytes of one kind.
REST = cbor(PLAIN[5:]).hex()[2:]
FRONT = cbor(PLAIN).hex().removesuffix("80" + REST)
FILLED = b"\x8a" + cbor(PLAIN)[1:]
PLACE = "8350" + "00" * 12 + "########" + "01" + "5820" + "00" * 32
RANGE = "82" + "1b########00000000" * 2


def filled(size):
    """A message of a size; only its length if that is beyond the limit."""
    rest = size - len(FILLED) - 5
    return f"{size:08x}" if size > MESSAGE_BYTES else many(FILLED.hex(), f"5a{rest:08x}", rest, "00")


def frame(size):
    return many("8301" + "50" + phone.id.hex(), f"5a{size:08x}", size, "00")


def places(count):
    return many("8202", f"99{count:04x}", count, PLACE)


def ranges(count):
    return many(with_ranges()[:-1].hex(), f"99{count:04x}", count, RANGE)


def former_books(count):
    return many(FRONT, f"99{count:04x}", count, "50" + FORMER.hex(), REST)


def refusal_text(size):
    return many("830405", f"79{size:04x}", size, "61")


def name(size):
    return many("8405" + cbor(CODE).hex(), f"78{size:02x}", size, "61", "f6")


def limits():
    """Messages at a limit, and beyond it with the code of the refusal."""
    for what, limit, code, make in [
        ("bytes of a message", MESSAGE_BYTES, LIMIT, filled),
        ("bytes of a frame", FRAME_BYTES, LIMIT, frame),
        ("places", PLACES, LIMIT, places),
        ("ranges of a place", RANGES, BROKEN, ranges),
        ("former books", FORMER_BOOKS, LIMIT, former_books),
        ("bytes of a refusal", TEXT_BYTES, LIMIT, refusal_text),
        ("bytes of a name", NAME_BYTES, LIMIT, name),
    ]:
        assert refusal(expanded(make(limit))) is None, what
        yield f"{limit:,} {what}", f"taken {make(limit)}"
        assert refusal(expanded(make(limit + 1))) == code, what
        yield f"{limit + 1:,} {what}", f"{code} {make(limit + 1)}"


vector("messages at and beyond a limit", *limits())
