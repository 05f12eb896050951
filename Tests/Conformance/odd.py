"""Compares the program with the reader on books that are valid but unusual, and prints the differences.

    python3 odd.py PROGRAM COUNT [FIRST SEED] [--keep FOLDER]

It prints the unusual features of the books with their counts. The exit code is 1 if the two differ on any book.
"""
import argparse, json, os, shutil, subprocess, sys, tempfile
from collections import Counter
from pathlib import Path
from codec import Raw, loads
from oddbooks import Odd
from oddities import ODD_FIELDS, SOURCES, VALUES
from reader import ERASE, Book, sha, words
from strands import bundle, write_book, write_files

# The features that must occur in every thousand books, in addition to all kinds of values.
OFTEN = {
    "alias", "alias of nothing", "command of several events", "invalid domain body", "extras of a newer version", "fork",
    "fork of a branch", "fork before the first event", "fork after the first event", "frame of a newer version", "link elsewhere",
    "log from time 0", "log twice in a table", "reference to the last sequence", "seen of itself", "seen of many logs", "seen with holes",
    "seen with another hash", "stripped body", "stripped by an erase that is not held", "time of 61 bits", "invalid trust body",
    "trust: revoke", "verb not known", "zeros behind a sealed file",
}
KINDS = ["birthdays", "lists", "todos", "questions", "choices", "picks"]


class Program:
    """The program, which is run on one book after another."""
    def __init__(self, path, home):
        self.path = path
        self.environment = {**os.environ, "HOME": str(home), "XDG_STATE_HOME": str(home / "state"),
                            "XDG_CONFIG_HOME": str(home / "config")}

    def ask(self, folder, *question):
        done = subprocess.run([self.path, "-C", str(folder), *question, "--json", "--no-input"], capture_output=True,
                              env=self.environment)
        try: return json.loads(done.stdout or b"{}") if done.returncode == 0 else self.failure(done, question)
        except ValueError: return self.failure(done, question)

    @staticmethod
    def failure(done, question):
        return {"failed": " ".join(question[:1]), "code": done.returncode,
                "said": done.stdout.decode(errors="replace")[:2000] + done.stderr.decode(errors="replace")[:2000]}


def lay(odd, folder):
    """Writes the logs of a book."""
    write_book(folder, odd.book)
    for strand in odd.strands:
        write_files(folder / "logs" / strand.device.id.hex() / (strand.branch().hex() if strand.leaves else ""), odd.files(strand))


def put_aside(folder, book):
    """Moves the logs of devices that no one has admitted aside, and returns whether there were any."""
    known = {log.way()[0].id for log in book.known}
    strangers = [replica.id.hex() for replica in book.replicas if replica.id not in known]
    for each in strangers: (folder / "aside").mkdir(exist_ok=True), (folder / "logs" / each).rename(folder / "aside" / each)
    return strangers != []


class Expected:
    """The results of the reader for a book."""
    def __init__(self, folder):
        book = self.book = Book(folder)
        digest = sha(book.state())
        self.digest, self.words = digest.hex(), words(digest).replace(" ", "-")
        self.counts = self.count(book, book.documents())
        beside = [event for log in book.aside.values() for event in log.events.values()]
        self.held = sum(len(log.events) for log in book.logs.values()) + len(beside)
        # For a log that is set aside, the program checks only whether any log in the folder contains the erase.
        logs = [*book.logs.values(), *book.aside.values()]
        erases = {(event.sequence, event.hash[:16]) for event in book.of_verb(logs, ERASE, {})}
        bare = [tuple(event.body[1][1:]) for event in beside if event.verb is None]
        self.bodiless = len(book.bodiless) + sum(mark not in erases for mark in bare)
        self.lost = sorted(f"{id_} {sequence}" for id_, sequence in book.bodiless)
        self.missing = {each: gaps for replica in book.replicas for each, gaps in replica.holes.items() if gaps}
        self.wrong = sum(each.wrong for each in book.replicas)


    @staticmethod
    def is_occurrence(book, members):
        """Whether a living member, or any member of a dead to-do, refers to an owner (12.6)."""
        living = list(filter(book.is_alive, members)) or members
        return any(field == 1 and not isinstance(value, bytes)
                   for each in living for _, field, value, _ in book.writes.get(each, []))

    @classmethod
    def count(cls, book, groups):
        """Counts the shown records of each kind (12.4). Choices and picks need their question, to-dos their list.

        Occurrences are left out: the books have no series, so none of them is closed with a slot.
        """
        documents = list(map(book.document, groups))
        alive, shown = {each[0]: each[2] for each in documents}, Counter()
        for members, (id_, kind, is_alive, _, fields) in zip(groups, documents):
            if kind == 2 and cls.is_occurrence(book, members): continue
            value = loads(fields.get({2: 6, 4: 1, 5: 1}.get(kind), [Raw(b"\xf6")])[0].raw)
            parent = value[0] if isinstance(value, list) and len(value) == 1 and isinstance(value[0], bytes) else None
            shown[kind] += is_alive and (alive.get(parent, kind == 2) if kind in (2, 4, 5) else True)
        return [shown[kind] for kind in range(6)]


def compare(name, found, expected):
    return [] if found == expected else [f"{name}: the program has {found!r}, the reader {expected!r}"]


def looks(program, folder, expected):
    """Returns the differences between the output of the program and the results of the reader."""
    status = program.ask(folder, "status")
    if "failed" in status: return [str(status)]
    found = compare("digest", status["digest"], expected.digest) + compare("words", status["words"], expected.words)
    found += compare("counts", [status["counts"][kind] for kind in KINDS], expected.counts)
    lost = sorted(f"{each['replica']} {n}" for each in status["missing"] for n in range(each["first"], each["last"] + 1))
    found += compare("missing", lost, expected.lost) + compare("shown alone", status["shownAlone"], 0)
    verified = program.ask(folder, "verify")
    if "failed" in verified: return found + [str(verified)]
    found += compare("events", verified["events"], expected.held) + compare("faults", verified["faults"], []) + compare("remembered", verified["remembered"], 0)
    found += compare("bodiless", verified["bodiless"], expected.bodiless)
    return found


def check(program, seed, work):
    """Compares one book in a folder and, for every third seed, after a sync into a partial copy of the book."""
    odd, folder, other = Odd(seed), work / "book", work / "other"
    for each in (folder, other): shutil.rmtree(each, ignore_errors=True)
    lay(odd, folder)
    expected = Expected(folder)
    if put_aside(folder, expected.book): expected = Expected(folder)
    found = compare("what can be read", [expected.missing, expected.wrong], [{}, 0])
    written = sum(len(strand.events) - strand.start for strand in odd.strands)
    found += compare("events, as they were written", written, expected.held)
    found += ["folder: " + each for each in looks(program, folder, expected)]
    if seed % 3 == 0: found += sync(program, odd, other, expected)
    return odd, expected, found


def sync(program, odd, folder, expected):
    """Returns the differences after a book with the founder's first events has imported all other events."""
    write_book(folder, odd.book)
    founder = odd.strands[0]
    write_files(folder / "logs" / founder.device.id.hex(), odd.files(founder, 1))
    program.ask(folder, "status")
    file = folder.parent / "odd.bundle"
    file.write_bytes(bundle(odd.book, odd.strands, odd.frames))
    synced = program.ask(folder, "sync", str(file))
    found = [f"sync: {synced}"] if "failed" in synced or synced.get("problems") else []
    held = Expected(folder)
    found += ["synced: " + each for each in looks(program, folder, held)]
    # A sync strips erased bodies, but reading alone does not, so the digests may differ if there are erases.
    is_sure = not expected.book.erases
    if is_sure: found += compare("digest after the sync, by the reader alone", held.digest, expected.digest)
    odd.count("= books synced", *["= digests compared after a sync"] * is_sure)
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("count", type=int)
    parser.add_argument("first", type=int, nargs="?", default=0)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    counts, failed = Counter(), 0
    with tempfile.TemporaryDirectory() as home:
        work = options.keep or Path(home)
        program = Program(options.program, Path(home))
        for seed in range(options.first, options.first + options.count):
            odd, expected, found = check(program, seed, work)
            counts += odd.counts
            documents = expected.book.documents()
            counts.update({"= events": expected.held, "= documents": len(documents),
                           "= living documents": sum(any(map(expected.book.is_alive, each)) for each in documents),
                           "= joined documents": sum(len(each) > 1 for each in documents), "= empty states": not documents})
            for each in found: print(f"seed {seed}: {each}", flush=True)
            failed += found != []
    for name, count in sorted(counts.items()): print(f"{count:9} {name}")
    odd = {*VALUES, *SOURCES, *ODD_FIELDS, *OFTEN}
    if options.count >= 1000: print("did not occur:", sorted(odd - set(counts)) or "no unusual features")
    print(f"{options.count} books from seed {options.first}; {failed} of them were read differently")
    sys.exit(failed > 0)


if __name__ == "__main__": main()
