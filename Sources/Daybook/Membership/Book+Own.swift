import Bytes
import Domain
import Journaling

// What this device has written itself, as far as it counts and beyond.

extension Book {
  /// What this machine has written in the log it writes, and in those it has left.
  func ownLogs() throws(DaybookError) -> OwnLogs {
    let mark = try mark()
    var own = OwnLogs(last: try lastOwnLog, ends: [:])
    if let log = try ownLog { own.ends[log] = .max }
    let tips = [file.left[mark]?.tip].compactMap(\.self) + (file.earlier[mark] ?? [])
    guard !tips.isEmpty else { return own }
    let tree = logTree
    for tip in tips where journal.end(of: tip.log, on: .logs) != nil {
      guard let holder = try tree.holder(of: tip) else { continue }
      for reach in tree.reaches(through: holder, upTo: tip.sequence) {
        own.ends[reach.log] = max(own.ends[reach.log] ?? 0, reach.upTo)
      }
    }
    return own
  }

  /// How many events of this device stand behind others that are lost in its logs, and can be taken by no device that
  /// lacks these: they do not tell which logs their numbers stand for.
  package func countOfStranded() throws(DaybookError) -> UInt64 {
    var logs = Set(try ownLogs().ends.keys)
    if let left = file.left[try mark()]?.log { logs.insert(left) }
    var count: UInt64 = 0
    for log in logs { count += StrandedEvents(of: log, in: journal).count }
    return count
  }

  /// What this machine folds, each log up to the last event that it shows.
  func shownLogs(_ trust: Trust) throws(DaybookError) -> [UniqueID: UInt64] {
    try ownLogs().shown(by: trust).filter { journal.end(of: $0.key, on: .logs) != nil }
  }

  /// What this machine would show if all that was written under its keys counted.
  ///
  /// An old copy that was put in the book's place does not know what the device wrote after it; the key tells.
  func shownWithAllOwn() throws(DaybookError) -> [UniqueID: UInt64] {
    let trust = try trust(by: try remembered(by: try view()).ledger)
    let keys = try ownKeys(by: trust)
    var ends = try shownLogs(trust).merging(try ownLogs().ends, uniquingKeysWith: max)
    for (log, key) in trust.keys where keys.contains(key) { ends[log] = .max }
    return ends.filter { journal.end(of: $0.key, on: .logs) != nil }
  }

  /// How many events about records this device has written that it does not show: they lie in logs of a key that it
  /// has left, and do not count.
  package func countOfHiddenOwn() throws(DaybookError) -> UInt64 {
    try countOfHiddenOwn(by: try trust(by: try remembered(by: try view()).ledger))
  }

  /// How many events about records this device shows and no other one does: its key is not admitted, or was revoked.
  ///
  /// Where there are some, the digest is that of less than is shown.
  package func countOfShownAlone() throws(DaybookError) -> UInt64 {
    try countOfShownAlone(by: try trust(by: try remembered(by: try view()).ledger))
  }

  func countOfHiddenOwn(by trust: Trust) throws(DaybookError) -> UInt64 {
    try countOfFacts(in: try ownLogs().hidden(by: trust) { heldRange(of: $0) })
  }

  /// The same, or 0 if the records already show all that these events say.
  func countOfUnshownOwn(by trust: Trust) throws(DaybookError) -> UInt64 {
    let count = try countOfHiddenOwn(by: trust)
    if count == 0 { return 0 }
    return try hasUncounted() ? count : 0
  }

  func countOfShownAlone(by trust: Trust) throws(DaybookError) -> UInt64 {
    try countOfFacts(in: try ownLogs().shownAlone(by: trust) { heldRange(of: $0) })
  }

  private func heldRange(of log: UniqueID) -> ClosedRange<UInt64>? {
    guard let end = journal.end(of: log, on: .logs)?.sequence else { return nil }
    let first = journal.lineage(of: log).first
    return first <= end ? first...end : nil
  }

  private func countOfFacts(
    in events: [UniqueID: ClosedRange<UInt64>]
  ) throws(DaybookError) -> UInt64 {
    var count: UInt64 = 0
    for (log, range) in events {
      try forEachFrame(of: log, from: range.lowerBound, upTo: range.upperBound) { frame in
        for event in frame.events where range.contains(event.sequence) {
          if let verb = event.verb, JournalVerb.domain.contains(verb) { count += 1 }
        }
      }
    }
    return count
  }
}
