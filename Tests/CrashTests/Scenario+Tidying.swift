import Bytes
import Crypto
import Platform
import SimulatedPlatform

@testable import Journaling

/// Merging and compacting logs, and stripping bodies.
extension Scenario {
  static let tidying: [Scenario] = [
    Scenario(name: "merging", prepare: smallFiles(7), recoveryCuts: 4, perform: merge),
    Scenario(name: "compacting", prepare: compactable, recoveryCuts: 4, perform: compact),
    Scenario(
      name: "erasing", prepare: erasable,
      repeats: { _ = try $0.strip(erasing(in: Desk().log, 5, 60, 66)) }, perform: erase),
    Scenario(
      name: "erasing what arrives", prepare: otherLog,
      repeats: { _ = try $0.strip(erasing(in: OtherLog.id(), 3, 5)) }, perform: eraseArriving),
  ]

  // MARK: Merging

  /// A log with `count` small sealed files.
  static func smallFiles(
    _ count: UInt64
  ) -> @Sendable (inout Journal, Desk) throws -> Void {
    { journal, desk in
      try desk.begin(&journal)
      for number in 1...count {
        try desk.append([Desk.command(number, events: 2)], to: &journal)
        try journal.seal(desk.log, keys: desk.keys)
      }
    }
  }

  static func merge(_ journal: inout Journal, _ record: inout Record) throws {
    try record.append(Desk.command(50), to: &journal)
    try journal.seal(record.desk.log, keys: record.desk.keys)
    try journal.parts.merger.mergeNewest(of: record.desk.log)
    try record.acknowledge()
    try record.append(Desk.command(51, events: 2), to: &journal)
  }

  /// A log with sealed files and a tail, and a log of another device.
  static func compactable(_ journal: inout Journal, _ desk: Desk) throws {
    try smallFiles(3)(&journal, desk)
    try desk.append([Desk.command(20, events: 3)], to: &journal)
    for frame in try OtherLog().frames(1...4) {
      try journal.receive(frame, of: OtherLog.id(), on: .logs)
    }
    _ = try journal.commit()
  }

  static func compact(_ journal: inout Journal, _ record: inout Record) throws {
    for number in UInt64(50)...51 {
      _ = try journal.compact(keys: [record.desk.log: record.desk.keys])
      try record.acknowledge()
      try record.append(Desk.command(number), to: &journal)
    }
  }

  // MARK: Erasing

  /// A log whose first block ends in its tail, after a sealed file, and a log of another device.
  static func erasable(_ journal: inout Journal, _ desk: Desk) throws {
    try desk.begin(&journal)
    try desk.append([Desk.command(1, events: 30), Desk.command(2, events: 20)], to: &journal)
    try journal.seal(desk.log, keys: desk.keys)
    try desk.append([Desk.command(3, events: 12)], to: &journal)
    try desk.append([Desk.command(4, events: 4)], to: &journal)
    for frame in try OtherLog().frames(1...4) {
      try journal.receive(frame, of: OtherLog.id(), on: .logs)
    }
    _ = try journal.commit()
  }

  static func erase(_ journal: inout Journal, _ record: inout Record) throws {
    let own = record.desk.log
    _ = try journal.strip(erasing(in: own, 5))
    try record.acknowledge()
    _ = try journal.strip(erasing(in: own, 5, 60, 66))
    try record.acknowledge()
    try record.append(Desk.command(50, events: 2), to: &journal)
  }

  static func eraseArriving(_ journal: inout Journal, _ record: inout Record) throws {
    _ = try journal.strip(erasing(in: OtherLog.id(), 3, 5))
    try record.acknowledge()
    try receive(OtherLog().frames(4...4), &journal, &record)
    try receive(OtherLog().frames(5...6), &journal, &record)
  }

  private static func erasing(in log: UniqueID, _ sequences: UInt64...) -> Erasures {
    let erase = Landmark(
      log: UniqueID(high: 4, low: 4), sequence: 9, hash: UniqueID(high: 5, low: 5))
    var erasures = Erasures()
    for sequence in sequences {
      erasures.insert(EventName(log: log, sequence: sequence), by: erase)
    }
    return erasures
  }
}
