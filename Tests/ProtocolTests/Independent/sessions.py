"""The vectors of the messages of section 9, with their fields."""

from daybook import cbor, member, sha, stored
from good import DESK, PHONE, desk, phone, vector
from invitations import INVITER, JOINER, SECRET, proof
from messages import (
    ALIVE, ASKING, END, FRAME, HAVE, HELLO, NOBODY, PROVE, REFUSAL, Place, encoded, frontier, refusal,
)


def text(value):
    """The value of a field as the document spells it."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return value


def place_fields(places):
    """The fields of a frontier."""
    yield "places", len(places)
    for number, place in enumerate(sorted(places), 1):
        yield f"replica {number}", place.replica
        yield f"sequence {number}", place.sequence
        yield f"hash {number}", place.hash
        if place.ranges:
            yield f"ranges {number}", " ".join(f"{first}-{last}" for first, last in place.ranges)


def message(name, type_, fields, *items, more=()):
    """Adds a vector; `more` are items of a newer version."""
    whole = encoded(*items, *more)
    assert refusal(whole) is None, name
    added = [("more", b"".join(map(cbor, more)))] if more else []
    pairs = [(key, text(value)) for key, value in fields]
    vector("message: " + name, ("type", type_), *pairs, *added, ("message", whole))


def hello(name, book, former, replica, places, incarnation, stays, highest=1, more=()):
    versions = [("lowest", 1), ("highest", highest), ("book", book)]
    books = [("former books", " ".join(each.hex() for each in former) or "none")]
    device = [("replica", replica), *place_fields(places), ("incarnation", incarnation), ("stays", stays)]
    items = [HELLO, 1, highest, book, former, replica, frontier(places), incarnation, stays]
    message(name, "hello", versions + books + device, *items, more=more)
    return items


def prove(name, code, device, port, secret_name=None, more=()):
    given = [] if secret_name is None else [secret_name]
    named = [("secret name", each) for each in given]
    fields = [("proof", code), ("name", device), ("port", port), *named]
    message(name, "prove", fields, PROVE, code, device, port, *given, more=more)


OWN_BOOK, FORMER = DESK.hash[1][:16], bytes(range(0x60, 0x70))
ALL_DESK, ALL_PHONE = Place(desk.id, 9, DESK.hash[9]), Place(phone.id, 4, PHONE.hash[4])
LOSING = Place(desk.id, 5, DESK.hash[5], [(7, 7), (9, 9)])
FIRST_LOST = Place(phone.id, 0, PHONE.hash[0], [(3, 4)])
DESK_HELLO = hello(
    "hello", OWN_BOOK, [FORMER], desk.id, [ALL_DESK, ALL_PHONE], desk.incarnation, True
)
hello("hello without a book", None, [], NOBODY, [], NOBODY, False)
hello(
    "hello of a newer version", OWN_BOOK, [], phone.id, [ALL_PHONE], phone.incarnation, False, 2, ["newer", {1: 2}]
)
PHONE_FRAME = member(PHONE.content(1, 4, head=True), 1, 4, stored, phone.id)
message(
    "frame", "frame", [("replica", phone.id), ("frame", PHONE_FRAME)], FRAME, phone.id, PHONE_FRAME
)
message("end", "end", place_fields([ALL_DESK]), END, frontier([ALL_DESK]))
message("end without places", "end", place_fields([]), END, [])
for name, places, ends in [
    ("have", [ALL_DESK, ALL_PHONE], 1),
    ("have without places", [], 0),
    ("have of lost events", [LOSING, FIRST_LOST], 24),
]:
    message(name, "have", [*place_fields(places), ("ends", ends)], HAVE, frontier(places), ends)
for name, code, words in [("refusal", 5, "no space"), ("refusal of a newer version", 24, "later")]:
    message(name, "refusal", [("code", code), ("text", words)], REFUSAL, code, words)
CODE = proof(SECRET, INVITER, JOINER)
SECRET_NAME = sha(b"daybook invitation name v1", SECRET)[:16]
prove("prove", CODE, "Ada’s phone", 7771, SECRET_NAME)
prove("prove without a port", CODE, "p", None)
prove("prove of a newer version", CODE, "p", None, SECRET_NAME, ["newer"])
message("alive", "alive", [], ALIVE)
message("asking", "asking", [], ASKING)
