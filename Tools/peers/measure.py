"""Measures one peer: `measure.py PEER OPERATIONS FOLDER` prints its figures as JSON.

No figures are printed for a peer whose final state is wrong.
"""

import importlib
import json
import os
import sys
import time

import operations as given

PEERS = {
    "lines": ("lines", "Lines"),
    "sqlite": ("sqlite", "SQLite"),
    "automerge": ("automerge_peer", "Automerge"),
    "loro": ("loro_peer", "Loro"),
    "yjs": ("yjs", "Yjs"),
}
# : The number of operations that are appended one by one, and the number of new operations on each side of a merge.
APPENDED, MERGED = 300, 100


def seconds(work):
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def median(values):
    return sorted(values)[len(values) // 2]


def measure(kind, operations, folder):
    numbers = iter(range(1, 1_000))

    def device():
        number = next(numbers)
        return kind(os.path.join(folder, f"{kind.__name__}-{number}"), number)

    expected = given.fold(operations)
    figures = {"name": kind.name, "note": kind.note}
    first = device()
    for operation in given.additions(20, replica=90):
        first.append(operation)
    times = [
        seconds(lambda: first.append(operation))[0]
        for operation in given.additions(APPENDED, replica=91)
    ]
    figures["append"] = 1 / median(times)

    full = device()
    full.fill(operations)
    figures["size"] = full.seal() / len(operations)
    taken, state = seconds(full.rebuild)
    check(state, expected)
    figures["rebuild"] = len(operations) / taken
    if kind.merges:
        figures |= measure_sync(full, device, expected)
    return figures


def measure_sync(full, device, expected):
    other = device()
    taken, sent = seconds(lambda: full.sync(other))
    check(other.state(), expected)
    merges, merged = [], []
    for turn in range(5):
        for replica, peer in ((92, full), (93, other)):
            peer.fill(given.additions(MERGED, replica, start=turn * MERGED))
        result = seconds(lambda: full.sync(other))
        merges.append(result[0])
        merged.append(result[1])
    check(full.state(), other.state())
    return {
        "sync": taken * 1e3,
        "sync-bytes": sent,
        "merge": median(merges) * 1e3,
        "merge-bytes": median(merged),
    }


def check(state, expected):
    if state != expected:
        sys.exit("its final state differs from that of the operations")


if __name__ == "__main__":
    module, name = PEERS[sys.argv[1]]
    kind = getattr(importlib.import_module(module), name)
    print(json.dumps(measure(kind, given.read(sys.argv[2]), sys.argv[3])))
