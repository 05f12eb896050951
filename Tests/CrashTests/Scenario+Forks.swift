import Bytes
import Journaling
import Platform
import SimulatedPlatform

/// Forked logs of other devices.
extension Scenario {
  static let forking: [Scenario] = [
    Scenario(name: "a fork", prepare: otherLog, perform: fork),
    Scenario(name: "branches that grow", prepare: forked, perform: growBranches),
    Scenario(name: "a branch of a branch", prepare: forked, perform: forkBranch),
    Scenario(name: "admitting a log that forked", perform: admitForked),
  ]

  /// A log of another device with a fork after its second event.
  private static func forked(_ journal: inout Journal, _ desk: Desk) throws {
    try otherLog(&journal, desk)
    for frame in try OtherLog(branchings: [3]).frames(3...4) {
      try journal.receive(frame, of: OtherLog.id(), on: .logs)
    }
    _ = try journal.commit()
  }

  static func fork(_ journal: inout Journal, _ record: inout Record) throws {
    try receive(OtherLog(branchings: [3]).frames(3...5), &journal, &record)
    try receive(OtherLog().frames(4...4), &journal, &record)
  }

  static func growBranches(_ journal: inout Journal, _ record: inout Record) throws {
    try receive(OtherLog(branchings: [3]).frames(5...6), &journal, &record)
    try receive(OtherLog().frames(4...5), &journal, &record)
    let both = try OtherLog().frames(6...6) + OtherLog(branchings: [3]).frames(7...7)
    try receive(both, &journal, &record)
  }

  static func forkBranch(_ journal: inout Journal, _ record: inout Record) throws {
    try receive(OtherLog(branchings: [3, 4]).frames(4...5), &journal, &record)
    try receive(OtherLog(branchings: [2]).frames(2...3), &journal, &record)
  }

  static func admitForked(_ journal: inout Journal, _ record: inout Record) throws {
    try receive(OtherLog().frames(1...4), &journal, &record, on: .aside)
    try receive(OtherLog(branchings: [3]).frames(3...4), &journal, &record, on: .aside)
    try journal.admit(OtherLog.id())
    try record.acknowledge()
    try receive(OtherLog(branchings: [3]).frames(5...5), &journal, &record)
  }
}
