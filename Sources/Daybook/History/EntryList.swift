package import Bytes
import Domain

/// Every command that was given, in the order in which people are told of it: the entries of the daybook.
///
/// A run of commands, such as an import, is one of them; what it took in that had happened at a time of its own stands
/// there.
package struct EntryList: Sendable {
  /// One command, or a run of them.
  package struct Entry: Hashable, Sendable {
    /// The log it stands in, and the first event of its first command there.
    package var replica: UniqueID
    package var first: UInt64
    /// When it was given.
    package var time: Int64
  }

  /// The earliest first.
  private let entries: ArraySlice<Entry>
  /// How far the logs were read.
  let reading: Reading

  /// Where the next reading goes on.
  struct Reading {
    /// The last event read of each log.
    var ends: [UniqueID: UInt64] = [:]
    /// The last run that was read of each log, which the next may go on with.
    var runs: [UniqueID: RunStretch] = [:]
  }

  private init(sorted entries: ArraySlice<Entry>, upTo reading: Reading) {
    (self.entries, self.reading) = (entries, reading)
  }

  package static let none = EntryList(sorted: [], upTo: Reading())

  /// The same with further ones; those of a run may come once more.
  func adding(_ others: [Entry], upTo reading: Reading) -> EntryList {
    let others = Set(others).filter { !contains($0) }.sorted()
    // Most often they come last.
    if let last = entries.last, let first = others.first, first < last {
      return EntryList(sorted: (Array(entries) + others).sorted()[...], upTo: reading)
    }
    return EntryList(sorted: entries + others, upTo: reading)
  }

  package var count: Int { entries.count }

  /// The entry of a number, which count from 1.
  package func entry(_ number: Int) -> Entry? {
    (1...max(1, count)).contains(number) && count > 0
      ? entries[entries.startIndex + number - 1] : nil
  }

  /// The logs of which more was read than of another list.
  package func logs(grownSince other: EntryList) -> Set<UniqueID> {
    Set(reading.ends.filter { $0.value > other.reading.ends[$0.key] ?? 0 }.keys)
  }

  /// Those that were there at a moment.
  package func until(_ moment: Int64) -> EntryList {
    EntryList(sorted: entries[..<entries.firstPlace { $0.time > moment }], upTo: reading)
  }

  /// The number of an entry.
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
