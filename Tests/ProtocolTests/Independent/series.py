"""The vectors of section 12.6: rules and their dates, sources of occurrences, and the slots of series."""

import itertools
import re
from datetime import date

from good import vector
from repeats import Occurrence, Rule, Series, iso, packed, uid, words
from reader import cbor

SHOWN = 6  # dates of a rule
RULES = [
    ("FREQ=DAILY;INTERVAL=3", "2026-11-26"),
    ("FREQ=DAILY;BYMONTH=12;BYDAY=MO,TU,WE,TH,FR", "2026-11-26"),
    ("FREQ=DAILY;INTERVAL=2;BYMONTHDAY=1,-1", "2026-11-26"),
    ("FREQ=DAILY;BYMONTHDAY=31;SKIP=BACKWARD", "2026-01-31"),
    ("FREQ=DAILY;COUNT=3", "2026-11-26"),
    ("FREQ=WEEKLY", "2026-11-23"),
    ("FREQ=WEEKLY;BYDAY=SA", "2026-11-26"),
    ("FREQ=WEEKLY;BYDAY=MO,TH;COUNT=4", "2026-11-26"),
    ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU", "2026-11-29"),
    ("FREQ=WEEKLY;INTERVAL=3;BYMONTH=1,12", "2026-11-26"),
    ("FREQ=MONTHLY", "2026-01-31"),
    ("FREQ=MONTHLY;SKIP=BACKWARD", "2026-01-31"),
    ("FREQ=MONTHLY;BYMONTHDAY=29,30,31;SKIP=BACKWARD", "2026-01-30"),
    ("FREQ=MONTHLY;BYMONTHDAY=15,-1", "2026-11-26"),
    ("FREQ=MONTHLY;BYMONTHDAY=-31;SKIP=BACKWARD", "2026-11-26"),
    ("FREQ=MONTHLY;INTERVAL=5;BYMONTH=1,6,11", "2026-11-26"),
    ("FREQ=MONTHLY;BYDAY=WE", "2026-11-26"),
    ("FREQ=MONTHLY;BYDAY=MO,1TU,2TU,-1FR", "2026-11-26"),
    ("FREQ=MONTHLY;BYDAY=5TH", "2026-11-26"),
    ("FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR", "2026-11-13"),
    ("FREQ=MONTHLY;BYMONTHDAY=31;BYDAY=SA;SKIP=BACKWARD", "2026-01-31"),
    ("FREQ=MONTHLY;FROM=START", "2026-11-26"),
    ("FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30", "9990-01-01"),
    ("FREQ=YEARLY", "2096-02-29"),
    ("FREQ=YEARLY;SKIP=BACKWARD", "2096-02-29"),
    ("FREQ=YEARLY;BYMONTH=2;SKIP=BACKWARD", "2026-01-31"),
    ("FREQ=YEARLY;BYMONTH=2,11;BYMONTHDAY=29", "2026-11-29"),
    ("FREQ=YEARLY;BYMONTHDAY=1,-31", "2026-11-26"),
    ("FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU", "2026-11-26"),
    ("FREQ=YEARLY;INTERVAL=2;BYDAY=TH", "2026-12-17"),
    ("FREQ=YEARLY", "9998-12-31"),
    ("FREQ=WEEKLY;INTERVAL=2;BYMONTH=1,2;SKIP=BACKWARD", "2026-01-31"),
    ("FREQ=MONTHLY;BYDAY=2MO,-2SA,-1FR", "2026-11-26"),
    ("FREQ=YEARLY;BYMONTH=1,2;BYMONTHDAY=30;BYDAY=FR,SA;SKIP=BACKWARD", "2026-01-30"),
]
NO_RULES = [
    "INTERVAL=2",
    "INTERVAL=2;FREQ=DAILY",
    "RRULE:FREQ=DAILY",
    "freq=daily",
    "FREQ=DAILY;",
    "FREQ= DAILY",
    "FREQ=DAILY;FREQ=DAILY",
    "FREQ=HOURLY",
    "FREQ=DAILY;INTERVAL=1",
    "FREQ=DAILY;INTERVAL=02",
    "FREQ=DAILY;INTERVAL=3652060",
    "FREQ=DAILY;COUNT=0",
    "FREQ=DAILY;COUNT=+2",
    "FREQ=DAILY;COUNT=3652060",
    "FREQ=DAILY;COUNT=2;UNTIL=20261231",
    "FREQ=DAILY;BYMONTH=13",
    "FREQ=DAILY;BYMONTH=2,1",
    "FREQ=DAILY;BYDAY=TH,MO",
    "FREQ=DAILY;BYDAY=MO,MO",
    "FREQ=DAILY;SKIP=OMIT",
    "FREQ=DAILY;SKIP=FORWARD",
    "FREQ=DAILY;FROM=DUE",
    "FREQ=DAILY;MISSED=SKIP",
    "FREQ=DAILY;MISSED=KEEP;FROM=DONE",
    "FREQ=WEEKLY;BYMONTHDAY=1",
    "FREQ=WEEKLY;BYDAY=1MO",
    "FREQ=WEEKLY;WKST=SU",
    "FREQ=MONTHLY;BYMONTHDAY=0",
    "FREQ=MONTHLY;BYMONTHDAY=32",
    "FREQ=MONTHLY;BYMONTHDAY=-1,1",
    "FREQ=MONTHLY;BYMONTHDAY=-1,-2",
    "FREQ=MONTHLY;BYDAY=6MO",
    "FREQ=MONTHLY;BYDAY=1MO,MO",
    "FREQ=MONTHLY;BYDAY=-1MO,1TU",
    "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=-1",
    "FREQ=YEARLY;BYDAY=1MO",
    "FREQ=MONTHLY;BYDAY=-1FR,-2SA",
    "FREQ=MONTHLY;BYDAY=-1MO,MO",
]


def numbered(rows):
    """The pairs of rows, whose names end in the number of the row."""
    return [(f"{name} {n}", value) for n, row in enumerate(rows, 1) for name, value in row]


def first_dates(text, anchor):
    rule = Rule(text)
    found = rule.dates(date.fromisoformat(anchor))
    return " ".join(each.isoformat() for each in itertools.islice(found, min(rule.count or SHOWN, SHOWN)))


def is_rule(text):
    try:
        return bool(Rule(text))
    except ValueError:
        return False


rows = [[("rule", text), ("anchor", day), ("dates", first_dates(text, day))] for text, day in RULES]
vector("rules", *numbered(rows))
# Text that the reader accepts as a rule is left out, which makes the vector differ from the document.
vector("texts that are not rules", *numbered([("text", each)] for each in NO_RULES if not is_rule(each)))

ID = bytes.fromhex("68a5f33c2613831d8acdbfee9b73b66e")
SLOT = packed(date(2026, 11, 23))
SOURCES = [(None, SLOT), (None, packed(date(9999, 12, 31))), ([0, "bins"], SLOT), ([2, ID], SLOT)]
rows = [
    [("series", cbor(source) if source else "none"), ("id", ID), ("slot", slot), ("source", cbor([9, uid(source, ID, slot)]))]
    for source, slot in SOURCES
]
vector("sources of occurrences", *numbered(rows))

DAILY, WEEKLY = ("FREQ=DAILY", "2026-11-01"), ("FREQ=WEEKLY", "2026-11-23")
FROM_START = ("FREQ=WEEKLY;FROM=START", "2026-11-27", "2026-11-23")
DONE, SKIPPED = "slot 2026-11-23 done closedOn 2026-11-26", "slot 2026-11-23 cancelled closedOn 2026-11-29"
DISORDERED = "slot 2026-11-23 done closedOn 2026-12-20", "slot 2026-11-30 done closedOn 2026-11-30"
HALF_OPEN, EARLY = ("slot 2026-11-30", "slot 2026-11-30 done closedOn 2026-11-26"), "slot 2026-11-30 done closedOn 2026-11-20"
LATER = "slot 2026-11-23 done closedOn 2026-12-05", "slot 2026-11-30 done closedOn 2026-12-05"
# The name; the rule, due date, start, until and the closing of the series itself; the stored occurrences.
CASES = [
    ("nothing is stored", WEEKLY),
    ("done by two devices", WEEKLY, DONE, DONE),
    ("done, and undone by a device that did not know", WEEKLY, "slot 2026-11-23", DONE),
    ("done and skipped", WEEKLY, SKIPPED, "slot 2026-11-23 done closedOn 2026-12-02"),
    ("missed dates are passed over", DAILY, "slot 2026-11-01 done closedOn 2026-11-26"),
    ("done on the next date", WEEKLY, "slot 2026-11-23 done closedOn 2026-11-30"),
    ("done in advance", WEEKLY, "slot 2026-11-23 done closedOn 2026-11-02"),
    ("done without a day", WEEKLY, "slot 2026-11-23 done"),
    ("done in a month", WEEKLY, "slot 2026-11-23 done closedOn 2026-12"),
    ("a late completion", WEEKLY, DONE, "slot 2026-12-07 done closedOn 2026-11-26"),
    ("a changed rule", ("FREQ=MONTHLY;BYMONTHDAY=1", "2026-11-09"), DONE),
    ("a later first date", ("FREQ=WEEKLY", "2027-01-04"), DONE),
    ("a slot without a day", WEEKLY, "slot 2026-11 done closedOn 2026-11-26"),
    ("closed after a later one", WEEKLY, *DISORDERED),
    ("the days of a month", ("FREQ=MONTHLY;SKIP=BACKWARD", "2026-01-31"), "slot 2026-02-28 done closedOn 2026-02-28"),
    ("keeps missed dates", ("FREQ=MONTHLY;MISSED=KEEP", "2026-10-01"), "slot 2026-10-01 done closedOn 2026-11-26"),
    ("keeps a date before a closed one", ("FREQ=DAILY;MISSED=KEEP", "2026-11-22"), DONE),
    ("keeps missed dates, and ends", ("FREQ=DAILY;COUNT=2;MISSED=KEEP", "2026-11-22"), SKIPPED, "slot 2026-11-22 done"),
    ("counts from the completion", ("FREQ=DAILY;INTERVAL=3;FROM=DONE", "2026-11-23"), DONE),
    ("counts from the later completion", ("FREQ=DAILY;INTERVAL=3;FROM=DONE", "2026-11-23"), SKIPPED, DONE),
    ("counts from an early completion", ("FREQ=DAILY;FROM=DONE", "2026-11-30"), "slot 2026-11-30 done closedOn 2026-11-26"),
    ("counts from the latest completion, of an earlier date", ("FREQ=DAILY;INTERVAL=3;FROM=DONE", "2026-11-23"), *DISORDERED),
    ("counts from the completion, and not from an open slot", ("FREQ=DAILY;INTERVAL=3;FROM=DONE", "2026-11-30"), *HALF_OPEN),
    ("counts from an early completion, and not to the end", ("FREQ=DAILY;INTERVAL=3;COUNT=2;FROM=DONE", "2026-11-30"), EARLY),
    ("counts from the completion, and keeps none", ("FREQ=DAILY;FROM=DONE;MISSED=KEEP", "2026-11-23"), DONE),
    ("counts from the completion, and ends", ("FREQ=DAILY;COUNT=2;FROM=DONE", "2026-11-23"), DONE, "slot 2026-11-27 done"),
    ("closed on one day, and ends", ("FREQ=WEEKLY;COUNT=2;MISSED=KEEP", "2026-11-23"), *LATER),
    ("closed after the last one, and ends", ("FREQ=WEEKLY;COUNT=2", "2026-11-23"), *DISORDERED),
    ("one date is left", ("FREQ=WEEKLY;COUNT=2", "2026-11-23"), DONE),
    ("no date is left", ("FREQ=WEEKLY;COUNT=2", "2026-11-23"), "slot 2026-11-30 done closedOn 2026-11-30"),
    ("until the current date", (*WEEKLY, "", "2026-11-23")),
    ("until a closed date", (*WEEKLY, "", "2026-11-23"), DONE),
    ("until the end of a month", (*WEEKLY, "", "2026-11"), DONE),
    ("until a date before the first", (*WEEKLY, "", "2026-11-22")),
    ("until a day without a year", (*WEEKLY, "", "--11-23"), DONE),
    ("an open slot after the end", (*WEEKLY, "", "2026-11-22"), "slot 2026-11-30 due 2026-12-01"),
    ("the end of time", ("FREQ=YEARLY", "9999-11-26"), "slot 9999-11-26 done closedOn 2026-11-26"),
    ("a start after the end of time", ("FREQ=WEEKLY", "9999-12-24", "9999-12-30"), "slot 9999-12-24 done closedOn 2026-11-26"),
    ("due after the end of time", ("FREQ=WEEKLY;FROM=START", "9999-12-29", "9999-12-23"), "slot 9999-12-23 done closedOn 2026-11-26"),
    ("due before the start, at the end of time", ("FREQ=DAILY;FROM=START", "9999-12-20", "9999-12-24"), "slot 9999-12-24 done closedOn 9999-12-29"),
    ("due on the date of the slot, before the completion", ("FREQ=WEEKLY;FROM=START", "9999-12-29", "9999-12-23"), "slot 9999-12-23 done closedOn 9999-12-31"),
    ("moved", WEEKLY, "slot 2026-11-23 due 2026-11-28"),
    ("moved by two devices", WEEKLY, "slot 2026-11-23", "slot 2026-11-23 due 2026-11-29", "slot 2026-11-23 due 2026-11-28"),
    ("moved, with a later one closed", WEEKLY, "slot 2026-11-23 due 2026-12-24", "slot 2026-11-30 done closedOn 2026-11-30"),
    ("moved and done", WEEKLY, "slot 2026-11-23 due 2026-11-28", DONE),
    ("a start", (*WEEKLY, "2026-11-20"), DONE),
    ("a start of its own", (*WEEKLY, "2026-11-20"), "slot 2026-11-23 start 2026-11-23"),
    ("counts from the start", FROM_START),
    ("counts from the start, done before it is due", FROM_START, DONE),
    ("counts from the start, done after it was due", FROM_START, "slot 2026-11-23 done closedOn 2026-12-05"),
    ("counts from the start, done before the next is due", FROM_START, "slot 2026-11-23 done closedOn 2026-12-03"),
    ("counts from the start, until a start", (*FROM_START, "2026-11-23")),
    ("counts from a start after it is due", ("FREQ=DAILY;FROM=START", "2026-11-19", "2026-11-23"), "slot 2026-11-23 done"),
    ("counts from a missing start", FROM_START[:2]),
    ("done by an older program", (*WEEKLY, "", "", "done")),
    ("cancelled by an older program", (*WEEKLY, "", "", "cancelled closedOn 2026-12-01")),
    ("done by an older program, and moved", (*WEEKLY, "", "", "done"), "slot 2026-11-23 due 2026-11-28"),
    ("done by an older program, and later", (*WEEKLY, "", "", "done"), "slot 2026-11-30 done closedOn 2026-11-30"),
]


def value(text):
    """A date as stored in a field, whose year or day may be missing."""
    year, month, day = map(int, (text.replace("--", "0-") + "-0").split("-")[:3]) if text else (0, 0, 0)
    return year * 512 + month * 32 + day or None


def occurrence(text):
    """The stored state that a text such as `slot 2026-11-23 done closedOn 2026-11-26` describes."""
    days = {name: value(text) for name, text in re.findall("(slot|closedOn|due|start) ([0-9-]+)", text)}
    is_done, is_cancelled = (each in text.split() for each in ("done", "cancelled"))
    return Occurrence(days.get("slot"), is_done, is_cancelled, days.get("closedOn"), days.get("due"), days.get("start"))


for name, terms, *stored in CASES:
    repeat, due, start, until, itself = (*terms, "", "", "")[:5]
    given = [("repeat", repeat), ("due", due), ("start", start), ("until", until), ("itself", itself)]
    series = Series(
        repeat, value(due), value(start), value(until), occurrence(itself) if itself else None, list(map(occurrence, stored))
    )
    following, current = series.next(), series.current()
    last = series.shown_slot()
    vector(
        "series: " + name,
        *[pair for pair in given if pair[1]],
        *[(f"occurrence {n}", each) for n, each in enumerate(stored, 1)],
        ("next", following.isoformat() if following else "none"),
        ("current", words(current)),
        *([] if current else [("sub-tasks", iso(last) if last else "none")]),
    )
