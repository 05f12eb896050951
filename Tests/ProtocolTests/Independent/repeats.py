"""Repeating to-dos, from the text of protocol.md (3.2 and 12.6) and RFC 5545: rules, dates, and slots of series.

Dates are those of Python where they must be complete, and else integers as in a field.
"""

import calendar
import re
from datetime import date, timedelta

from reader import cbor, entity_id, sha

MOST = 3_652_059
WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
PARTS = re.compile(
    "FREQ=(DAILY|WEEKLY|MONTHLY|YEARLY)(?:;INTERVAL=([0-9]+))?(?:;BYMONTH=([0-9,]+))?"
    "(?:;BYMONTHDAY=([0-9,-]+))?(?:;BYDAY=([0-9A-Z,-]+))?(?:;COUNT=([0-9]+))?(;SKIP=BACKWARD)?"
    "(?:;FROM=(START|DONE))?(;MISSED=KEEP)?"
)


def must(condition):
    if not condition:
        raise ValueError


def number(text, least, most):
    must(re.fullmatch("-?[1-9][0-9]*", text) and least <= int(text) <= most)
    return int(text)


def ascending(items):
    """A list without duplicates, with the values that count from the end last."""
    places = [(first < 0, first, *others) for first, *others in items]
    must(places == sorted(set(places)))
    return items


class Rule:
    """A rule; raises ValueError if the text is not a rule."""

    def __init__(self, text):
        parts = PARTS.fullmatch(text)
        must(parts)
        self.frequency, interval, months, month_days, days, count, skip, self.basis, keep = parts.groups()
        self.interval = number(interval, 2, MOST) if interval else 1
        self.count = number(count, 1, MOST) if count else None
        self.months = self.numbers(months, 1, 12)
        self.month_days = self.numbers(month_days, -31, 31)
        must(not self.month_days or self.frequency != "WEEKLY")
        self.days = ascending([self.day(each) for each in days.split(",")]) if days else []
        self.skips_backward = bool(skip) and self.frequency in ("MONTHLY", "YEARLY")
        self.keeps_missed = bool(keep)

    @staticmethod
    def numbers(text, least, most):
        found = [[number(each, least, most)] for each in text.split(",")] if text else []
        return [each for each, in ascending(found)]

    def day(self, text):
        """The ordinal, or 0 without one, and the number of the weekday."""
        ordinal = text[:-2]
        must(text[-2:] in WEEKDAYS and (not ordinal or self.frequency == "MONTHLY"))
        return number(ordinal, -5, 5) if ordinal else 0, WEEKDAYS.index(text[-2:])

    def dates(self, anchor):
        """The anchor and the later days that fit, regardless of COUNT."""
        yield anchor
        for ordinal in range(anchor.toordinal() + 1, date.max.toordinal() + 1):
            if self.fits(date.fromordinal(ordinal), anchor):
                yield date.fromordinal(ordinal)

    def fits(self, day, anchor):
        if self.periods(day, anchor) % self.interval or self.months and day.month not in self.months:
            return False
        if self.month_days or self.days:
            return (not self.month_days or any(self.is_month_day(each, day) for each in self.month_days)) and (
                not self.days or any(self.is_weekday(each, day) for each in self.days)
            )
        if self.frequency == "DAILY":
            return True
        if self.frequency == "WEEKLY":
            return day.weekday() == anchor.weekday()
        is_in_month = self.frequency == "MONTHLY" or bool(self.months) or day.month == anchor.month
        return is_in_month and self.is_month_day(anchor.day, day)

    def periods(self, day, anchor):
        """The number of days, weeks, months or years between the anchor and the day."""
        match self.frequency:
            case "DAILY":
                return (day - anchor).days
            case "WEEKLY":
                return (day.toordinal() - 1) // 7 - (anchor.toordinal() - 1) // 7
            case "MONTHLY":
                return (day.year - anchor.year) * 12 + day.month - anchor.month
        return day.year - anchor.year

    def is_month_day(self, named, day):
        length = calendar.monthrange(day.year, day.month)[1]
        if named < 0:
            named += length + 1
        elif self.skips_backward:
            named = min(named, length)
        return day.day == named

    @staticmethod
    def is_weekday(named, day):
        ordinal, weekday = named
        length = calendar.monthrange(day.year, day.month)[1]
        places = {0, (day.day + 6) // 7, -((length - day.day) // 7 + 1)}
        return day.weekday() == weekday and ordinal in places


# Dates as stored in fields.
def packed(day):
    return day.year * 512 + day.month * 32 + day.day


LEAP_YEAR = 2000  # stands for an unknown year


def as_date(value):
    """The value; None if it is not a date, such as a day that its month lacks."""
    if type(value) is not int or not 0 < value < 10_000 * 512:
        return None
    year, month, day = value >> 9, value >> 5 & 15, value & 31
    if not month and (year and day) or month > 12:
        return None
    length = calendar.monthrange(year or LEAP_YEAR, month)[1] if month else 31
    return value if day <= length else None


def complete(value):
    """The day; None if a part is unknown or the value is not a date."""
    is_complete = as_date(value) and value >> 9 and value >> 5 & 15 and value & 31
    return date(value >> 9, value >> 5 & 15, value & 31) if is_complete else None


def last_day(value):
    """The last day of a day, a month or a year; None without a year."""
    if not as_date(value) or not value >> 9:
        return None
    year, month = value >> 9, value >> 5 & 15 or 12
    return complete(value) or date(year, month, calendar.monthrange(year, month)[1])


def later(day, distance):
    """The day a number of days later; None outside the years 1 to 9999."""
    try:
        return day + distance
    except OverflowError:
        return None


class Occurrence:
    """The stored state of a slot, from one document or combined from several."""

    def __init__(self, slot, done=False, cancelled=False, closed_on=None, due=None, start=None):
        self.slot, self.done, self.cancelled = slot, done, cancelled
        self.closed_on, self.due, self.start = closed_on, due, start

    @property
    def is_closed(self):
        return self.done or self.cancelled


def iso(value):
    """A date whose month or day may be unknown."""
    parts = value >> 5 & 15, value & 31
    return "-".join(["%04d" % (value >> 9), *("%02d" % part for part in parts if part)])


def words(found):
    """The state of a slot or a series as text, such as `slot 2026-11-23 done closedOn 2026-11-26`."""
    if not found:
        return "none"
    closing = "done" if found.done else "cancelled" if found.cancelled else ""
    days = [("slot", found.slot), ("closedOn", closing and found.closed_on), ("due", found.due), ("start", found.start)]
    slot, *others = [f"{name} {iso(day)}" for name, day in days if day]
    return " ".join(filter(None, [slot, closing, *others]))


class Series:
    """A series, with its occurrences in the order of their ids; raises ValueError if the to-do is not a series."""

    def __init__(self, repeat, due, start=None, until=None, itself=None, occurrences=()):
        must(isinstance(repeat, str) and complete(due))
        self.rule, self.due, self.start, self.until = Rule(repeat), complete(due), complete(start), last_day(until)
        self.anchor = self.start if self.rule.basis == "START" and self.start else self.due
        self.occurrences = sorted(
            (each for each in occurrences if complete(each.slot)), key=lambda each: each.slot
        )
        slots = {each.slot for each in self.occurrences}
        if itself and itself.is_closed and packed(self.anchor) not in slots:
            itself.slot = packed(self.anchor)
            self.occurrences.append(itself)
            slots.add(itself.slot)
        self.closed = {each.slot for each in self.occurrences if each.is_closed}
        self.open = slots - self.closed

    def due_of(self, slot):
        return later(slot, self.due - self.anchor) or slot

    def start_of(self, slot):
        return later(slot, self.start - self.anchor) if self.start else None

    def of(self, slot):
        """The combined stored state of a slot."""
        found = [each for each in self.occurrences if each.slot == slot]
        return Occurrence(
            slot,
            any(each.done for each in found),
            any(each.cancelled for each in found),
            None,
            next((each.due for each in found if each.due is not None), None),
            next((each.start for each in found if each.start is not None), None),
        )

    def k(self, slot):
        """The day on which a slot was closed."""
        closed = [each for each in self.occurrences if each.slot == slot and each.is_closed]
        return max(complete(each.closed_on) or self.due_of(complete(slot)) for each in closed)

    def latest_k(self):
        return max(map(self.k, self.closed))

    def next(self):
        """The next slot, if there is one."""
        rule = self.rule
        following = rule.dates(self.anchor)
        if rule.count and rule.basis != "DONE":
            following = (each for _, each in zip(range(rule.count), following))
        if not self.closed:
            found = self.anchor
        elif rule.basis == "DONE":
            if rule.count and len(self.closed) >= rule.count:
                return None
            k, last = self.latest_k(), complete(max(self.closed))
            found = next((each for each in rule.dates(k) if each > max(k, last)), None)
        elif rule.keeps_missed:
            found = next((each for each in following if packed(each) not in self.closed), None)
        else:
            k, last = self.latest_k(), complete(max(self.closed))
            found = next((each for each in following if each > last and self.due_of(each) >= k), None)
        return None if found and self.until and found > self.until else found

    def shown_slot(self):
        """The slot of sub-tasks: the current slot or, after the end, the slot that was closed last."""
        current = self.current()
        if current:
            return current.slot
        return max(self.closed, key=lambda each: (self.k(each), each), default=None)

    def current(self):
        """The visible state of the series, as an occurrence; None if it is finished."""
        slots = self.open | {packed(each) for each in [self.next()] if each}
        if not slots:
            return None
        found = self.of(min(slots))
        slot = complete(found.slot)
        if found.due is None:
            found.due = packed(self.due_of(slot))
        start = self.start_of(slot)
        if found.start is None and start:
            found.start = packed(start)
        return found


# Sources of occurrences.
def uid(source, document, slot):
    """The uid of a slot's source; the source of the series is an array or None."""
    series = cbor(source) if source else document
    return entity_id(sha(b"daybook occurrence v1", series, slot.to_bytes(8, "big")))
