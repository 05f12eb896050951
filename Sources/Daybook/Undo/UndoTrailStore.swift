import Bytes
import Domain
import Journaling
import ReadModel

/// A command that this process has written but not posted yet.
struct FreshCommand {
  /// This device's own log.
  var log: UniqueID
  var first: UInt64
  var last: UInt64
  /// The first event of the command that this command undoes.
  var undoes: UInt64?

  init?(_ first: EventKey?, of log: UniqueID?, count: Int, undoes: UInt64? = nil) {
    guard let first = first?.sequence, let log, count > 0 else { return nil }
    (self.log, self.first, self.undoes) = (log, first, undoes)
    last = first + UInt64(count) - 1
  }

  /// Whether the facts that are about to be posted are exactly the facts of this command.
  func isAll(of facts: [Fact], _ causality: Causality) -> Bool {
    guard let number = causality.number(of: log) else { return false }
    return facts.map(\.key) == (first...last).map { EventKey(log: number, sequence: $0) }
  }
}

/// Stores the undo trail in the read model.
struct UndoTrailStore {
  let store: LogStore
  let localDevice: LocalDevice

  /// The name of the setting for the trail.
  static let setting = "undo"

  /// The trail in a read model, if it belongs to this device's own log and reaches the end of that log.
  func trail(of model: ReadModel) throws(DaybookError) -> UndoTrail? {
    let bytes = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.settings.value(Self.setting)
    }
    // Without a trail that can be decoded, the caller uses the logs.
    guard let own = try localDevice.ownLog, let bytes,
      let trail = try? UndoTrail(decoding: bytes),
      trail.log == own, trail.end == store.journal.end(of: own, on: .logs)?.sequence
    else { return nil }
    return trail
  }

  /// Returns the encoded trail of a read model, extended by a command that is about to be posted.
  ///
  /// `records` holds the touched entities as they were before the command.
  static func trail(
    behind command: FreshCommand, touching keys: [EventKey], in records: Records,
    of model: ReadModel
  ) throws(DaybookError) -> [UInt8] {
    let bytes = try wrap(DaybookError.view) { () throws(ReadModelError) in
      try model.settings.value(Self.setting)
    }
    let kept = bytes.flatMap { try? UndoTrail(decoding: $0) }
    var trail = kept.flatMap { $0.log == command.log ? $0 : nil } ?? UndoTrail(of: command.log)
    var before: [EventKey: [UInt8]?] = [:]
    for key in keys { before.updateValue(records.entity(of: key)?.encoded(), forKey: key) }
    trail.append(
      .init(first: command.first, last: command.last, undoes: command.undoes, before: before))
    return trail.encode()
  }
}
