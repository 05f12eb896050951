package import Bytes
import Domain

/// Every command that was given, in the order in which people are told of it: the entries of the daybook.
package struct EntryList: Sendable {
  /// One command.
  package struct Entry: Hashable, Sendable {
    /// The log it stands in, and its first event there.
    package var replica: UniqueID
    package var first: UInt64
    /// When it was given.
    package var time: Int64
  }

  /// The earliest first.
  private let entries: ArraySlice<Entry>
  /// How far each log was read.
  let ends: [UniqueID: UInt64]

  init(_ entries: [Entry], upTo ends: [UniqueID: UInt64]) {
    (self.entries, self.ends) = (entries.sorted()[...], ends)
  }

  private init(sorted entries: ArraySlice<Entry>, upTo ends: [UniqueID: UInt64]) {
    (self.entries, self.ends) = (entries, ends)
  }

  package static let none = EntryList([], upTo: [:])

  /// The same with further ones.
  func adding(_ others: [Entry], upTo ends: [UniqueID: UInt64]) -> EntryList {
    let others = others.sorted()
    // Most often they come last.
    if let last = entries.last, let first = others.first, first < last {
      return EntryList(Array(entries) + others, upTo: ends)
    }
    return EntryList(sorted: entries + others, upTo: ends)
  }

  package var count: Int { entries.count }

  /// The entry of a number, which count from 1.
  package func entry(_ number: Int) -> Entry? {
    (1...max(1, count)).contains(number) && count > 0
      ? entries[entries.startIndex + number - 1] : nil
  }

  /// Those that were there at a moment.
  package func until(_ moment: Int64) -> EntryList {
    EntryList(sorted: entries[..<place { $0.time <= moment }], upTo: ends)
  }

  /// The number of the command that an event belongs to.
  package func number(of event: HistoryEntry) -> Int? {
    let wanted = Entry(
      replica: event.replica, first: event.command, time: event.fact.effectiveTime)
    let place = place { $0 < wanted }
    guard place < entries.endIndex, entries[place] == wanted else { return nil }
    return place - entries.startIndex + 1
  }

  /// The first place of which something is not so that is so of all before.
  private func place(_ isBefore: (Entry) -> Bool) -> Int {
    var (low, high) = (entries.startIndex, entries.endIndex)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(entries[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension EntryList.Entry: Comparable {
  package static func < (left: Self, right: Self) -> Bool {
    (left.time, left.replica, left.first) < (right.time, right.replica, right.first)
  }
}
