package import Bytes
import Domain

/// The entries of the daybook: all commands, by time.
///
/// A run of commands, such as an import, is one entry. Events with a stated time are not part of the entry of their
/// run. Such events have separate entries at their stated times.
package struct EntryList: Sendable {
  /// One command, or a run of commands.
  package struct Entry: Hashable, Sendable {
    /// The log of the entry, and the first event of its first command.
    package var replica: UniqueID
    package var first: UInt64
    /// For a run, the time of the mark at its beginning; for a single command, the effective time of its events.
    package var time: Int64
  }

  /// The entries, earliest first.
  private let entries: ArraySlice<Entry>
  /// The position up to which each log was read.
  let reading: Reading

  /// The state from which the next reading continues.
  struct Reading {
    /// For each log, the last event that was read.
    var ends: [UniqueID: UInt64] = [:]
    /// For each log, the last run that was read; later events may continue it.
    var runs: [UniqueID: RunStretch] = [:]
  }

  private init(sorted entries: ArraySlice<Entry>, upTo reading: Reading) {
    (self.entries, self.reading) = (entries, reading)
  }

  package static let none = EntryList(sorted: [], upTo: Reading())

  /// Returns this list with more entries.
  ///
  /// The entry for a run that has grown may be passed again; it is not added twice.
  func adding(_ others: [Entry], upTo reading: Reading) -> EntryList {
    let others = Set(others).filter { !contains($0) }.sorted()
    // New entries usually follow all others, so nothing needs to be sorted.
    if let last = entries.last, let first = others.first, first < last {
      return EntryList(sorted: (Array(entries) + others).sorted()[...], upTo: reading)
    }
    return EntryList(sorted: entries + others, upTo: reading)
  }

  package var count: Int { entries.count }

  /// Returns the entry with the given number, counted from 1, or nil if there is none.
  package func entry(_ number: Int) -> Entry? {
    (1...max(1, count)).contains(number) && count > 0
      ? entries[entries.startIndex + number - 1] : nil
  }

  /// Returns the logs in which this list has read more events than another list.
  package func logs(grownSince other: EntryList) -> Set<UniqueID> {
    Set(reading.ends.filter { $0.value > other.reading.ends[$0.key] ?? 0 }.keys)
  }

  /// Returns the entries up to a given time, inclusive.
  package func until(_ moment: Int64) -> EntryList {
    EntryList(sorted: entries[..<entries.firstPlace { $0.time > moment }], upTo: reading)
  }

  /// Returns the number of an entry, counted from 1, or nil if the list does not contain it.
  package func number(of entry: Entry) -> Int? {
    place(of: entry).map { $0 - entries.startIndex + 1 }
  }

  private func contains(_ entry: Entry) -> Bool { place(of: entry) != nil }

  private func place(of entry: Entry) -> Int? {
    let place = entries.firstPlace { $0 >= entry }
    return place < entries.endIndex && entries[place] == entry ? place : nil
  }
}

extension EntryList.Entry: Comparable {
  package static func < (left: Self, right: Self) -> Bool {
    (left.time, left.replica, left.first) < (right.time, right.replica, right.first)
  }
}
