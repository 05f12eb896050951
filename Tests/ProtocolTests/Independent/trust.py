"""Histories of trust: who admits and revokes whom, and the results by the reader's rules."""

import re

from good import desk, vector
from reader import ADMIT, OPEN, REVOKE, Book, Event, Log

AGREEMENT = desk.agreement
HISTORIES = {
    "admitted by the admitted": {"a": "A: admit B", "b": "B: admit C", "c": "C: -", "d": "D: -"},
    "a cut": {
        "a": "A: admit B, revoke B b2",
        "b": "B: admit C, admit D",
        "c": "C: -",
        "d": "D: -",
    },
    "a log of the key that is not named": {
        "a": "A: admit B, revoke B b1",
        "b": "B: -",
        "c": "C: -",
        "e": "B: admit C",
    },
    "each revokes the other": {"a": "A: admit B, revoke B b2", "b": "B: -, revoke A a2"},
    "the lowest cut": {"a": "A: admit B, revoke B b2, revoke B b3", "b": "B: -, -"},
    "a revoke beyond its author's cut": {
        "a": "A: admit B, admit C, revoke B b2",
        "b": "B: -, revoke C c1",
        "c": "C: -",
    },
    "a different event than the one kept": {"a": "A: admit B, revoke B b2!", "b": "B: -"},
    "within a command": {"a": "A: admit B, revoke B b4", "b": "B: -, -…, -…, -"},
    "a branch is kept": {
        "a": "A: admit B, revoke B c5",
        "b": "B: -, -",
        "c": "behind b3: -, -, admit C",
        "d": "behind b3: admit D",
    },
    "a branch is kept under the log's name": {
        "a": "A: admit B, revoke B b5=c5",
        "b": "B: -, -",
        "c": "behind b3: -, -, -",
        "d": "behind c5: -",
    },
    "a branch is named at an event of its trunk": {
        "a": "A: admit B, revoke B c3=b3",
        "b": "B: -, -",
        "c": "behind b3: -",
    },
    "a branch and its trunk are named": {
        "a": "A: admit B, revoke B b2 c5",
        "b": "B: -, -",
        "c": "behind b3: -, -, -",
    },
    "a branch is named that is not held": {"a": "A: admit B, revoke B b1 c3=b3", "b": "B: -, -, -"},
    "a revoke by an unknown device": {"a": "A: admit B", "b": "B: -", "d": "D: revoke B b1"},
    "struck": {
        "a": "A: revoke D, admit B",
        "b": "B: admit D, admit C",
        "c": "C: -",
        "d": "D: admit E, revoke C",
        "e": "E: -",
    },
    "revoked after an admit, so not struck": {
        "a": "A: admit B, revoke D",
        "b": "B: admit D, admit C",
        "c": "C: -",
        "d": "D: admit E, revoke C",
        "e": "E: -",
    },
    "revoked with something kept, so not struck": {
        "a": "A: revoke D d1, admit B",
        "b": "B: admit D",
        "d": "D: admit E",
        "e": "E: -",
    },
    "revoked with something kept that is not held, so not struck": {
        "a": "A: revoke D d5, admit B",
        "b": "B: admit D",
        "d": "D: admit E",
        "e": "E: -",
    },
    "a branch of the founder strikes no device": {
        "a": "A: -, -",
        "b": "B: admit D",
        "c": "behind a3: revoke D, admit B",
        "d": "D: -",
        "e": "behind a3: -",
    },
    "admitted again under the same key": {"a": "A: admit B, revoke B b1, admit B", "b": "B: -"},
    "admitted again under a new key": {
        "a": "A: admit B, revoke B b1, admit N",
        "b": "B: -",
        "n": "N: -",
    },
}


def hash_of(log, sequence, is_other=False):
    return (log.encode() + bytes([sequence, is_other])).ljust(32, b"\0")


def id_of(log):
    return log.encode() * 16


def landmark(text):
    log, sequence, other, holder = re.fullmatch(r"(.)(\d+)(!?)(?:=(.)\d+)?", text).groups()
    return [id_of(log), int(sequence), hash_of(holder or log, int(sequence), bool(other))[:16]]


def event(log, sequence, text):
    words = text.rstrip("…").split()
    if words[0] == "admit":
        body = [ADMIT, words[1].encode() * 32, ""]
    elif words[0] == "revoke":
        body = [REVOKE, words[1].encode() * 32, [landmark(each) for each in words[2:]]]
    elif words[0] == "open":
        body = [OPEN, words[1].encode() * 32, AGREEMENT, bytes(16), ""]
    else:
        body = [0, 0]
    made = Event(sequence, hash_of(log, sequence), body)
    made.time, made.extras, made.ends = 0, {}, not text.endswith("…")
    return made


def book(history):
    """A book of these logs; a branch comes after its trunk."""
    made = Book.__new__(Book)
    made.id, made.logs, made.lost, made.kept = hash_of("a", 1)[:16], {}, {}, {}
    for name, text in history.items():
        start, rest = text.split(": ")
        behind = re.fullmatch(r"behind (.)(\d+)", start)
        trunk = made.logs[id_of(behind[1])] if behind else None
        first = int(behind[2]) + 1 if behind else 1
        texts = ([] if behind else [f"open {start}"]) + rest.split(", ")
        events = [event(name, first + place, each) for place, each in enumerate(texts)]
        log = made.logs[id_of(name)] = Log(id_of(name), b"", trunk, events)
        if trunk:
            trunk.branches.append(log)
    made.trust()
    return made


for title, history in HISTORIES.items():
    found = book(history)
    cuts = sorted(f"{chr(log[0])}{cut}" for log, cut in found.cuts.items())
    vector(
        "trust: " + title,
        *history.items(),
        ("known", " ".join(sorted(chr(log.id[0]) for log in found.known))),
        ("cuts", " ".join(cuts) or "none"),
        ("admitted", " ".join(sorted(chr(log.id[0]) for log in found.admitted))),
    )
