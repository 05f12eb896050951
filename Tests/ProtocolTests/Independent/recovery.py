"""Decides which frames of a tail count, by the table "Frames of a file" in section 7.1 of protocol.md.

A frame is written as its events: `4`, `4-6`, or `4'` in a branch that leaves the log after event 2.
"""


def parse(frame):
    branch = "'" if frame.endswith("'") else ""
    first, _, last = frame.rstrip("'").partition("-")
    return int(first), int(last or first), branch


def hash_at(event, branch):
    return event, branch if event > 2 else ""


def begins(frame, last):
    first, _, branch = frame
    if last is None:
        return "file" if first == 1 else "behind"
    end, of = last
    if first == end + 1:
        return "end" if hash_at(end, of) == hash_at(end, branch) else "before"
    return "before" if first <= end else "behind"


def contradicts(after, frame):
    first, _, branch = after
    _, last, of = frame
    return first <= last or first == last + 1 and hash_at(last, of) != hash_at(last, branch)


def counting(order):
    """The events that count in a tail of these frames."""
    frames = [parse(frame) for frame in order.split()]
    last, passed, events = None, None, []
    for place, frame in enumerate(frames):
        first, end, branch = frame
        beginning = begins(frame, last)
        out = beginning == "before"
        if beginning == "behind":
            after = frames[place + 1] if place + 1 < len(frames) else None
            out = hash_at(first - 1, branch) == passed or after and contradicts(after, frame)
        if out:
            passed = hash_at(end, branch)
            continue
        last = end, branch
        events += [f"{event}{hash_at(event, branch)[1]}" for event in range(first, end + 1)]
    return " ".join(events)
