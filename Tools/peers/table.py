"""Makes one table of the figures: `table.py FOLDER`, with a JSON file for each peer and for daybook."""

import glob
import json
import os
import sys

COLUMNS = [
    ("append", "durable appends/s", "{:,.0f}"),
    ("size", "bytes/event", "{:.1f}"),
    ("rebuild", "events/s read back", "{:,.0f}"),
    ("sync", "full sync, ms", "{:,.0f}"),
    ("sync-bytes", "bytes", "{:,.0f}"),
    ("merge", "merge of 100 and 100, ms", "{:.1f}"),
    ("merge-bytes", "bytes", "{:,.0f}"),
]
#: The names of the metrics in daybook's benchmark.
OWN = {
    "append": "append_durable",
    "size": "size_100k",
    "rebuild": "load.full",
    "sync": "sync_full",
    "sync-bytes": "sync_full_bytes",
    "merge": "sync_inc",
    "merge-bytes": "sync_inc_bytes",
}
#: The names of whole commands that differ from the word after `command-`.
OWN_COMMANDS = {
    "add": "cli_add_10000",
    "all": "cli_list_10000",
    "done": "cli_done_10000",
    "undo": "cli_undo_10000",
}
OWN_NOTE = "over TLS between two devices, each event verified, and after a full sync ready to be queried"


def own(figures):
    row = {"name": "**daybook**", "note": OWN_NOTE}
    for column, name in OWN.items():
        if name in figures:
            row[column] = figures[name]
    return row


def line(cells):
    return "| " + " | ".join(cells) + " |"


def table(rows):
    yield line(["", *(title for _, title, _ in COLUMNS)])
    yield "|---|" + "--:|" * len(COLUMNS)
    for row in rows:
        cells = (form.format(row[key]) if key in row else "–" for key, _, form in COLUMNS)
        yield line([row["name"], *cells])


def commands(figures):
    deeds = [name.removeprefix("taskwarrior-") for name in figures if name.startswith("taskwarrior-")]
    if not deeds:
        return
    yield ""
    yield line(["whole commands among 10,000 tasks, ms", *deeds])
    yield "|---|" + "--:|" * len(deeds)
    own = [OWN_COMMANDS.get(deed, "command-" + deed) for deed in deeds]
    theirs = ["taskwarrior-" + deed for deed in deeds]
    for name, names in (("**daybook**", own), ("Taskwarrior", theirs)):
        yield line([name, *(f"{figures[key]:.1f}" for key in names)])


def main(folder):
    with open(os.path.join(folder, "daybook.json")) as file:
        figures = {name: figure["value"] for name, figure in json.load(file)["metrics"].items()}
    rows = [own(figures)]
    for path in sorted(glob.glob(os.path.join(folder, "peer-*.json"))):
        with open(path) as file:
            rows.append(json.load(file))
    print("\n".join(table(rows)))
    print("\n".join(commands(figures)))
    print()
    for row in rows:
        print(f"- {row['name']}: {row['note']}")


if __name__ == "__main__":
    main(sys.argv[1])
