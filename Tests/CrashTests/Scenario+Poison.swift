import Journaling
import Platform
import SimulatedPlatform

/// Failing flushes, and the reaction of the next process.
extension Scenario {
  static let poison: [Scenario] = [
    Scenario(
      name: "a flush that fails, and all behind it", prepare: compactable, isFailing: true,
      perform: appendFailing { $0.failCall(2, with: .io, .fromThenOn) }),
    Scenario(
      name: "a flush that fails twice", prepare: compactable, isFailing: true, recoveryCuts: 3,
      perform: appendFailing {
        // The first flush and, after the five calls that leave the mark, the flush of the new file.
        $0.failCall(2, with: .io)
        $0.failCall(10, with: .io)
      }),
    Scenario(
      name: "a folder that fails to be flushed", prepare: compactable, isFailing: true,
      recoveryCuts: 3, perform: sealFailing),
  ]

  /// An unflushed write may survive.
  ///
  /// The next process makes it durable or discards it.
  private static func appendFailing(
    _ fail: @escaping @Sendable (SimulatedDisk) -> Void
  ) -> @Sendable (inout Journal, inout Record) throws -> Void {
    { journal, record in
      try record.append(Desk.command(49), to: &journal)
      fail(record.disk)
      // This call must fail.
      try? record.desk.append([Desk.command(50, events: 2)], to: &journal)
      try goOn(&journal, &record)
    }
  }

  static func sealFailing(_ journal: inout Journal, _ record: inout Record) throws {
    // All calls for the new file succeed except the last, which flushes its name.
    record.disk.failCall(6, with: .io)
    // This call must fail.
    try? journal.seal(record.desk.log, keys: record.desk.keys)
    try goOn(&journal, &record)
  }

  private static func goOn(_ journal: inout Journal, _ record: inout Record) throws {
    if !journal.isPoisoned { throw DiskError(.flush, Desk.folder, .invalid) }
    record.disk.clearWeather()
    try record.glimpse()
    journal = try record.restarted()
    try record.append(Desk.command(51, events: 2), to: &journal)
    try record.append(Desk.command(52), to: &journal)
  }
}
