"""Prints random repeat rules and their dates by python-dateutil: python3 rules.py COUNT SEED

A line is RULE ANCHOR MANY DATE…: the canonical text of a rule, the first date, `all` if the dates end with those
printed or else `some`, and the dates. It shares no code with the program. It requires Debian's python3-dateutil."""
import random, sys
from datetime import datetime, timedelta
from itertools import islice
from dateutil.rrule import DAILY, FR, MO, MONTHLY, SA, SU, TH, TU, WE, WEEKLY, YEARLY, rrule

MOST = 40
FREQUENCIES = {"DAILY": DAILY, "WEEKLY": WEEKLY, "MONTHLY": MONTHLY, "YEARLY": YEARLY}
WEEKDAYS = {"MO": MO, "TU": TU, "WE": WE, "TH": TH, "FR": FR, "SA": SA, "SU": SU}
CODES = list(WEEKDAYS)


def some(dice, values, most):
    return dice.sample(values, dice.randint(1, most))

def place(number): return number if number >= 0 else number + 1000

def longest(month): return 29 if month == 2 else 30 if month in (4, 6, 9, 11) else 31

def rule(dice):
    """Returns the parts of a rule, most of them absent."""
    frequency = dice.choice(list(FREQUENCIES))
    parts = {"FREQ": frequency}
    parts["INTERVAL"] = dice.choice([1, 1, 1, 2, 2, 3, 4, 5, 7, 12, 31, 45])
    if frequency == "YEARLY": parts["INTERVAL"] = dice.choice([1, 1, 1, 2, 3, 4, 5])
    if dice.random() < 0.25: parts["BYMONTH"] = sorted(some(dice, range(1, 13), 4))
    if frequency != "WEEKLY" and dice.random() < 0.35:
        days = some(dice, [*range(1, 32), 28, 29, 30, 31, *range(-31, 0), -1, -1], 4)
        parts["BYMONTHDAY"] = sorted(set(days), key=place)
    if dice.random() < 0.4:
        ordinals = [1, 2, 3, 4, 5, -1, -2, -3, -4, -5] if frequency == "MONTHLY" and dice.random() < 0.7 else [0]
        days = {(dice.choice(ordinals), code) for code in some(dice, CODES, 4)}
        parts["BYDAY"] = sorted(days, key=lambda day: (place(day[0]), CODES.index(day[1])))
    if dice.random() < 0.3: parts["COUNT"] = dice.randint(1, 30)
    return parts

def text(parts, ending=""):
    def value(name, value):
        if name == "BYDAY": return ",".join(f"{number or ''}{code}" for number, code in value)
        return ",".join(map(str, value)) if isinstance(value, list) else str(value)
    return ";".join(f"{name}={value(name, each)}" for name, each in parts.items() if (name, each) != ("INTERVAL", 1)) + ending

def dates(parts, anchor, **others):
    """The dates of a rule, of which the anchor is the first whether or not it fits (RFC 5545, 3.8.5.3)."""
    days = [WEEKDAYS[code](number) if number else WEEKDAYS[code] for number, code in parts.get("BYDAY", [])]
    found = rrule(FREQUENCIES[parts["FREQ"]], dtstart=anchor, interval=parts["INTERVAL"], bymonth=parts.get("BYMONTH"),
                  bymonthday=others.get("days", parts.get("BYMONTHDAY")), byweekday=days or None, wkst=MO,
                  bysetpos=others.get("position"), until=others["until"])
    yield anchor
    for date in found:
        if date > anchor: yield date

def backward(dice):
    """A rule with SKIP=BACKWARD, with the rule of RFC 5545 that has the same dates and the day to begin with."""
    yearly = dice.random() < 0.3
    month = dice.randint(1, 12) if yearly else None
    day = min(dice.randint(28, 31), longest(month) if month else 31)
    year = dice.choice([1904, 2000, 2024])
    anchor = datetime(year, month or dice.choice([1, 3, 5, 7, 8, 10, 12]), day)
    parts = {"FREQ": "YEARLY" if yearly else "MONTHLY", "INTERVAL": dice.choice([1, 1, 2, 3, 5])}
    same = {**parts, "BYMONTH": month} if yearly else dict(parts)
    if yearly and dice.random() < 0.5: parts["BYMONTH"] = [month]
    elif not yearly and dice.random() < 0.5: parts["BYMONTHDAY"] = [day]
    return parts, same, anchor, list(range(28, day + 1))


def main(count, seed):
    dice = random.Random(seed)
    for _ in range(count):
        if dice.random() < 0.1:
            parts, same, anchor, days = backward(dice)
            end, others = anchor + timedelta(days=20000), {"days": days, "position": -1}
            words = text(parts, ";SKIP=BACKWARD")
        else:
            parts = same = rule(dice)
            anchor = datetime(1900, 1, 1) + timedelta(days=dice.randint(0, 60000))
            end, others, words = anchor + timedelta(days=20000), {}, text(parts)
        most = min(parts.get("COUNT", MOST), MOST)
        found = list(islice(dates(same, anchor, until=end, **others), most))
        whole = "all" if parts.get("COUNT", MOST + 1) <= len(found) else "some"
        print(words, anchor.date(), whole, *(date.date() for date in found))

main(int(sys.argv[1]), int(sys.argv[2]))
