"""The vectors of section 10: a bundle of two logs, and damaged ones, with what a device without events stores."""

import struct
import zlib

from cryptography.exceptions import InvalidSignature

from daybook import member, sha, stored
from good import DESK, desk, phone, vector
from messages import END, FRAME, HAVE, HELLO, NOBODY, Place, Refused, encoded, frontier, greet, read
from reader import Bad, Frame
from sessions import ALL_PHONE, FORMER, OWN_BOOK, PHONE_FRAME

MAGIC = b"daybook bundle 1\n"
DIGEST_BYTES = 32
DEVICES = {desk.id: desk, phone.id: phone}
NAMES = {desk.id: "desk", phone.id: "phone"}
READER = [HELLO, 1, 1, OWN_BOOK, [], NOBODY, [], NOBODY, False]
BROKEN_HELLOS = {1: "version", 2: "otherBook"}


# Reading.
def proves(frame, replica):
    """Whether the head of a frame is valid; the key is the one of the device, as in the log's first event."""
    last = frame.events[-1]
    place = struct.pack(">QQ", last.sequence, last.time)
    message = sha(b"daybook head v1", replica, place, last.hash)
    try:
        DEVICES[replica].signing.public_key().verify(frame.signature, message)
    except InvalidSignature:
        return False
    return True


class Reading:
    """What a device without events stores of a bundle, and the problems."""

    def __init__(self):
        self.stored, self.hashes, self.stopped, self.problems = {}, {}, set(), []

    def store(self, replica, data):
        """Stores a frame, unless it or an earlier frame of its log is wrong."""
        if replica in self.stopped:
            return
        problem = self.problem(replica, data)
        if problem:
            self.stopped.add(replica)
            self.problems.append(f"{problem}({NAMES[replica]})")

    def problem(self, replica, data):
        try:
            frame = Frame(data)
        except Bad:
            return "refused"
        if frame.length != len(data):
            return "refused"
        if frame.replica != replica[:8]:
            return "foreign"
        if frame.first != self.stored.get(replica, 0) + 1:
            return "gap"
        if frame.hash != self.hashes.get(replica, sha(b"daybook log v1", replica)):
            return "unjoined"
        if not proves(frame, replica):
            return "wrongHead"
        self.stored[replica], self.hashes[replica] = frame.events[-1].sequence, frame.events[-1].hash
        return None


def messages(data):
    """The offset and the items of each message up to the `end`; the last has no items if there is no such message."""
    at, has_hello = len(MAGIC), False
    while True:
        try:
            found = read(data[at:])
        except Refused:
            found = None
        allowed = (FRAME, END) if has_hello else (HELLO,)
        if not found or found[0][0] not in allowed:
            yield at, None
            return
        has_hello = True
        yield at, found[0]
        at += found[1]
        if found[0][0] == END:
            if at <= len(data) - DIGEST_BYTES:
                return
            yield at, None
            return


def result(data):
    """The error or the problems of a bundle, and the last stored event of each log."""
    if not data.startswith(MAGIC):
        return "notABundle", {}
    told = list(messages(data))
    reading = Reading()
    offset, last = told[-1]
    has_end = last is not None
    end = offset + len(encoded(*last)) if has_end else None
    is_whole = has_end and data[end:] == sha(data[:end])
    for _, items in told:
        if items and items[0] == HELLO:
            try:
                greet(READER, None, items[:5] + [NOBODY] + items[6:])
            except Refused as refused:
                return BROKEN_HELLOS[refused.code] if is_whole else "damaged", {}
        elif items and items[0] == FRAME:
            reading.store(*items[1:])
    if not has_end:
        reading.problems.append(f"truncated(at: {offset})")
    elif not is_whole:
        reading.problems.append("wrongDigest")
    return " ".join(sorted(reading.problems)) or "none", reading.stored


# The bundle, whose writer is the phone: it holds the desk's log up to event 7.
def frame(log, first, last):
    return member(log.content(first, last, head=True), first, last - first + 1, stored, log.device.id)


DESK_AT_7 = Place(desk.id, 7, DESK.hash[7])
BUNDLE_HELLO = [HELLO, 1, 1, OWN_BOOK, [], phone.id, frontier([ALL_PHONE, DESK_AT_7]), phone.incarnation, False]
DESK_FRAMES = [frame(DESK, 1, 5), frame(DESK, 6, 7)]
PARTS = [
    MAGIC,
    encoded(*BUNDLE_HELLO),
    encoded(FRAME, phone.id, PHONE_FRAME),
    *[encoded(FRAME, desk.id, each) for each in DESK_FRAMES],
    encoded(END, []),
]
WHOLE = b"".join(PARTS)
BUNDLE = WHOLE + sha(WHOLE)
STARTS = [sum(map(len, PARTS[:n])) for n in range(len(PARTS) + 1)]
OF_HELLO, OF_PHONE, OF_DESK, OF_MORE, OF_END, OF_DIGEST = STARTS[1:]
assert result(BUNDLE) == ("none", {phone.id: 4, desk.id: 7})


def stored_events(events):
    return " ".join(f"{NAMES[each]} {events[each]}" for each in sorted(events)) or "none"


vector(
    "bundle",
    ("messages at", " ".join(map(str, STARTS[1:-1]))),
    ("hello", encoded(*BUNDLE_HELLO)),
    ("digest", sha(WHOLE)),
    ("stored", stored_events(result(BUNDLE)[1])),
    ("file", BUNDLE),
)


# Damaged files, written as parts.
def assembled(parts, whole):
    """The bytes of the parts of a file: `a-b` are bytes of the whole file, counted from 0, `+` precedes other bytes,
    and `digest` is the SHA-256 of all before it.
    """
    data = b""
    for part in parts.split():
        if part == "digest":
            data += sha(data)
        elif part.startswith("+"):
            data += bytes.fromhex(part[1:])
        else:
            first, last = map(int, part.split("-"))
            assert last < len(whole)
            data += whole[first : last + 1]
    return data


def span(first, end):
    return f"{first}-{end - 1}"


def replaced(at, new, end=OF_DIGEST):
    """The parts of a bundle with other bytes at an offset, up to its digest."""
    return f"{span(0, at)} +{new.hex()} {span(at + len(new), end)}"


def flipped(at):
    return replaced(at, bytes([BUNDLE[at] ^ 1]))


def wrong_head():
    """The first frame of the desk with another signature and the right CRC."""
    content = DESK.content(1, 5, head=True)
    at = OF_MORE - 8 - 1
    other = content[:-1] + bytes([content[-1] ^ 1])
    changed = bytes([other[-1]]) + struct.pack("<I", zlib.crc32(other))
    return f"{replaced(at, changed)} digest"


OLD_DIGEST = span(OF_DIGEST, len(BUNDLE))
OTHER_BOOK = replaced(OF_HELLO + 4 + 5, FORMER)
DAMAGED = [
    ("another file", f"+44 {span(1, len(BUNDLE))}"),
    ("of version 2", f"{replaced(15, b'2')} digest"),
    ("cut in the first line", span(0, OF_HELLO - 1)),
    ("the first line", span(0, OF_HELLO)),
    ("cut in the hello", span(0, OF_PHONE - 1)),
    ("cut in a frame", span(0, OF_MORE - 1)),
    ("cut in the digest", span(0, len(BUNDLE) - 1)),
    ("a byte after the digest", f"{span(0, len(BUNDLE))} +00"),
    ("another digest", f"{span(0, len(BUNDLE) - 1)} +{bytes([BUNDLE[-1] ^ 1]).hex()}"),
    ("a changed frame", f"{flipped(OF_MORE - 1)} {OLD_DIGEST}"),
    ("a changed frame and the right digest", f"{flipped(OF_MORE - 1)} digest"),
    ("a changed second frame of a log", f"{flipped(OF_END - 1)} digest"),
    ("a wrong head", wrong_head()),
    ("a changed length of a frame", f"{replaced(OF_DESK, bytes([255]))} {OLD_DIGEST}"),
    ("an unknown type", f"{replaced(OF_DESK + 5, bytes([8]))} digest"),
    ("without the hello", f"{span(0, OF_HELLO)} {span(OF_PHONE, OF_DIGEST)} digest"),
    ("the hello twice", f"{span(0, OF_PHONE)} {span(OF_HELLO, OF_DIGEST)} digest"),
    ("a have", f"{span(0, OF_PHONE)} +{encoded(HAVE, [], 0).hex()} {span(OF_PHONE, OF_DIGEST)} digest"),
    ("without the end", f"{span(0, OF_END)} digest"),
    ("frames in the wrong order",
     f"{span(0, OF_DESK)} {span(OF_MORE, OF_END)} {span(OF_DESK, OF_MORE)} {span(OF_END, OF_DIGEST)} digest"),
    ("a frame under another replica", f"{replaced(OF_PHONE + 7, desk.id)} digest"),
    ("a hello of version 2", f"{replaced(OF_HELLO + 6, bytes([2, 2]))} digest"),
    ("a hello of another book", f"{OTHER_BOOK} digest"),
    ("a hello of another book, damaged", f"{OTHER_BOOK} {OLD_DIGEST}"),
]
for name, parts in DAMAGED:
    problems, events = result(assembled(parts, BUNDLE))
    assert problems != "none", name
    vector("damaged bundle: " + name, ("file", parts), ("problems", problems), ("stored", stored_events(events)))
