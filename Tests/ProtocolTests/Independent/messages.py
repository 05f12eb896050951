"""Reads and writes the messages of a session, by section 9 and the limits of section 13.1 of protocol.md.

A message that is not valid raises `Refused` with the code of the refusal that a peer sends.
"""

import struct
from collections import namedtuple

from daybook import cbor, sha
from codec import Bad, decode
from reader import is_bytes, is_uint

MESSAGE_BYTES, FRAME_BYTES, TEXT_BYTES, NAME_BYTES = 8 << 20, 2 << 20, 1024, 100
PLACES, RANGES, ALL_RANGES, FORMER_BOOKS = 4096, 1024, 65536, 256
VERSION, BOOK, BROKEN, LIMIT = 1, 2, 3, 4
HELLO, FRAME, END, HAVE, REFUSAL, PROVE, ALIVE, ASKING = range(8)
LAST = 1 << 62
NOBODY = bytes(16)
Place = namedtuple("Place", "replica sequence hash ranges", defaults=[()])


class Refused(Exception):
    """A message that is refused with a code."""

    @property
    def code(self):
        return self.args[0]


def must(condition, code=BROKEN):
    if not condition:
        raise Refused(code)


def encoded(*items):
    """A message with its length."""
    return framed(cbor(items))


def framed(content):
    return struct.pack(">I", len(content)) + content


def frontier(places):
    return [[*place[:3], *([place.ranges] if place.ranges else [])] for place in sorted(places)]


def read(data):
    """The items of the message at the beginning of data, and its length; None if it is incomplete."""
    if len(data) < 4:
        return None
    (length,) = struct.unpack(">I", data[:4])
    must(length <= MESSAGE_BYTES, LIMIT)
    if len(data) < 4 + length:
        return None
    content = data[4 : 4 + length]
    try:
        items, end = decode(content)
    except (Bad, UnicodeDecodeError):
        raise Refused(BROKEN) from None
    must(end == len(content) and isinstance(items, list) and items and is_uint(items[0]))
    must(items[0] < len(READERS))
    READERS[items[0]](*items[1:])
    return items, 4 + length


def reads(least, most):
    """Makes a reader check the number of a message's items, without its kind."""

    def checking(check):
        def checked(*items):
            must(least <= len(items) and (most is None or len(items) <= most))
            check(*items)

        return checked

    return checking


@reads(8, None)
def read_hello(lowest, highest, book, former, replica, places, incarnation, stays, *_):
    must(is_uint(lowest) and is_uint(highest))
    must(book is None or is_bytes(book, 16))
    must(isinstance(former, list))
    must(len(former) <= FORMER_BOOKS, LIMIT)
    must(all(is_bytes(each, 16) for each in former))
    must(is_bytes(replica, 16) and is_bytes(incarnation, 16) and isinstance(stays, bool))
    read_frontier(places)


@reads(2, 2)
def read_frame(replica, frame):
    must(is_bytes(replica, 16) and isinstance(frame, bytes))
    must(len(frame) <= FRAME_BYTES, LIMIT)


@reads(1, 1)
def read_end(places):
    read_frontier(places)


@reads(2, 2)
def read_have(places, ends):
    read_frontier(places)
    must(is_uint(ends))


@reads(2, 2)
def read_refusal(code, text):
    must(is_uint(code) and isinstance(text, str))
    must(len(text.encode()) <= TEXT_BYTES, LIMIT)


@reads(3, None)
def read_proof(code, name, port, secret_name=NOBODY, *_):
    must(is_bytes(code, 32) and is_bytes(secret_name, 16))
    must(isinstance(name, str) and name and min(name) >= " ")
    must(len(name.encode()) <= NAME_BYTES, LIMIT)
    must(port is None or is_uint(port) and 0 < port < 1 << 16)


@reads(0, 0)
def read_nothing():
    pass


READERS = [
    read_hello, read_frame, read_end, read_have, read_refusal, read_proof, read_nothing, read_nothing,
]


def read_frontier(places):
    must(isinstance(places, list))
    must(len(places) <= PLACES, LIMIT)
    for place in places:
        read_place(place)
    must(all(one[:3] < next_[:3] for one, next_ in zip(places, places[1:])))
    must(sum(len(each) for place in places for each in place[3:]) <= ALL_RANGES, LIMIT)


def read_place(place):
    must(isinstance(place, list) and len(place) in (3, 4))
    replica, sequence, hash_, *ranges = place
    # Sequence 0 belongs to a path whose first event is lost.
    must(is_bytes(replica, 16) and is_uint(sequence) and sequence < LAST and is_bytes(hash_, 32))
    if not ranges:
        return
    must(isinstance(ranges[0], list) and 0 < len(ranges[0]) <= RANGES)
    reached = sequence
    for each in ranges[0]:
        must(isinstance(each, list) and len(each) == 2 and all(map(is_uint, each)))
        first, last = each
        must(reached + 1 < first <= last < LAST)
        reached = last


def greet(own, key, hello):
    """Checks a hello against the own hello and the key that the line proved."""
    (lowest, highest, book, _, *_), (low, high, theirs, former, replica, _, incarnation, *_) = own[1:], hello[1:]
    must(not any(replica) or sha(b"daybook replica v1", key, incarnation)[:16] == replica)
    must(low <= highest and lowest <= high, VERSION)
    must((book is None) != (theirs is None) or book is not None and book == theirs, BOOK)


def refusal(data, own=None, key=None):
    """The code with which a message is refused, or None."""
    try:
        items, length = read(data)
        assert length == len(data)
        if own:
            greet(own, key, items)
    except Refused as refused:
        return refused.code
    return None
