"""The visible state of repeating to-dos: series, their sub-tasks and occurrences, by section 12.6."""

from reader import loads
from repeats import Occurrence, Series, as_date, complete, words

TODO, PLAIN = 2, "a plain to-do"
SOURCE, OWNER, TITLE, DONE, DUE, START, REPEAT, UNTIL = 0, 1, 5, 7, 11, 15, 16, 17
SLOT, CLOSED_ON, CANCELLED, PARENT = 18, 19, 20, 22


def shown(fields, field):
    """The value with the highest stamp, if there is one."""
    return fields.get(field, [None])[0]


class Todos:
    """The visible state of the repeating to-dos of a book that are alive."""

    def __init__(self, book):
        self.fields, self.occurrences, written = {}, {}, {}
        for members in book.documents():
            living = [each for each in members if book.is_alive(each)]
            if living and book.kinds[members[0]] == TODO:
                id_ = book.ids[members[0]]
                # Only living members decide whether a to-do is an occurrence, and which values it has.
                if any(self.names_owner(book, each) for each in living):
                    self.occurrences[id_], read = self.read(book, living), living
                else:
                    self.fields[id_], read = self.read(book, members), members
                written[id_] = self.written_parent(book, read)
        self.parents = self.without_cycles(written)

    @staticmethod
    def names_owner(book, member):
        """Whether the add has a reference in *owner*, perhaps to an event that is not folded."""
        return any(field == OWNER and not isinstance(value, bytes) for _, field, value, _ in book.writes[member])

    @staticmethod
    def read(book, members):
        """The surviving values of each field, the one with the highest stamp first."""
        return {field: [loads(each.raw) for each in values] for field, values in book.document(members)[4].items()}

    @staticmethod
    def written_parent(book, members):
        """The shown parent, after the stamp and the rank of the event that wrote it."""
        last = []
        for member in members:
            writes = [each for each in book.writes[member] if each[1] == PARENT]
            last += [each for each in writes if not any(book.saw(by, each[0]) for by, *_ in writes)]
        shown = max(last, key=lambda each: (each[0].stamp, -each[3]), default=None)
        is_reference = shown and not isinstance(shown[2], bytes)
        return (shown[0].stamp, book.ids.get(shown[2])) if is_reference else (None, None)

    @staticmethod
    def without_cycles(written):
        """The parent of each to-do, except the parent with the highest stamp in each cycle."""
        parents = {id_: parent for id_, (_, parent) in written.items() if parent in written}
        for id_ in written:
            path = [id_]
            while path[-1] in parents and path[-1] not in path[:-1]:
                path.append(parents[path[-1]])
            if path[-1] in path[:-1]:
                del parents[max(path[path.index(path[-1]) :], key=lambda each: written[each][0])]
        return parents

    @staticmethod
    def occurrence(fields):
        """An occurrence: any surviving write closes it, and a day of closing comes before null."""
        closed_on = next((each for each in fields.get(CLOSED_ON, []) if each is not None), None)
        is_done, is_cancelled = (True in fields.get(each, []) for each in (DONE, CANCELLED))
        slot, due, start = (as_date(shown(fields, each)) for each in (SLOT, DUE, START))
        return Occurrence(slot, is_done, is_cancelled, as_date(closed_on), due, start)

    def owned(self, id_):
        """The occurrences of a to-do, in the order of their ids."""
        owned = [fields for _, fields in sorted(self.occurrences.items()) if shown(fields, OWNER) == [id_]]
        return list(map(self.occurrence, owned))

    def series(self, id_):
        """The to-do as a series; None if it is not a series."""
        fields = self.fields[id_]
        terms = [shown(fields, field) for field in (REPEAT, DUE, START, UNTIL)]
        itself = Occurrence(None, *(shown(fields, field) is True for field in (DONE, CANCELLED)), shown(fields, CLOSED_ON))
        try:
            return Series(*terms, itself, self.owned(id_))
        except ValueError:
            return None

    def above(self, id_):
        """The nearest series above a sub-task, if any. An occurrence is not a series, but can have a parent."""
        parent = self.parents.get(id_)
        if not parent:
            return None
        return parent in self.fields and self.series(parent) or self.above(parent)

    def shown(self):
        """The id of each to-do and its visible state; empty for a book without repeating to-dos."""
        stored = {id_: self.occurrence(fields) for id_, fields in self.occurrences.items()}
        lines = {id_: words(each) if complete(each.slot) else PLAIN for id_, each in stored.items()}
        for id_ in self.fields:
            series, above = self.series(id_), self.above(id_)
            if series:
                lines[id_] = "series, " + words(series.current())
            elif above:
                slot = above.shown_slot()
                found = [each for each in self.owned(id_) if each.slot == slot and each.is_closed]
                found = [each for each in found if each.done] or found or [Occurrence(slot)]
                lines[id_] = "sub-task, " + words(found[0])
        plain = dict.fromkeys(self.fields if lines else [], PLAIN)
        return [(id_.hex(), line) for id_, line in sorted({**plain, **lines}.items())]
