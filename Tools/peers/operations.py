"""The operations that every peer is given, and the state that they lead to."""

import json


def read(path):
    """The operations of a file of JSON lines, each with its line."""
    with open(path, "rb") as file:
        return [json.loads(line) for line in file]


def line(operation):
    """An operation as compact JSON."""
    return json.dumps(operation, ensure_ascii=False, separators=(",", ":")).encode()


def fields(operation):
    """The fields that an add or an edit writes."""
    if operation["op"] == "edit":
        return operation["set"]
    about = ("t", "replica", "op", "kind", "id")
    return {name: value for name, value in operation.items() if name not in about}


def fold(operations):
    """The final state: the fields of each record by its id."""
    state = {}
    for operation in operations:
        if operation["op"] == "delete":
            state.pop(operation["id"], None)
        elif operation["op"] == "add":
            state[operation["id"]] = {"kind": operation["kind"], **fields(operation)}
        elif operation["id"] in state:
            state[operation["id"]].update(fields(operation))
    return state


def additions(count, replica, start=0):
    """Some to-dos that no other side adds."""
    return [
        {
            "t": 1_800_000_000_000 + 1_000 * number,
            "replica": replica,
            "op": "add",
            "kind": "todo",
            "id": f"{replica:08x}-0000-4000-8000-{number:012x}",
            "title": f"Water plant {number}",
            "priority": 1,
        }
        for number in range(start, start + count)
    ]
