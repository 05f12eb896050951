package import Bytes
import Journaling

/// A log that a machine has abandoned in order to continue in a new incarnation.
package struct LeftLog: Hashable, Sendable {
  package var log: UniqueID
  /// The last event that the machine itself wrote to the log, if that is known.
  package var sequence: UInt64
  /// The first 16 bytes of the chain hash at that event.
  package var hash: UniqueID
  /// Whether the next incarnation must still record that the log was abandoned.
  package var mustRetire: Bool

  package init(log: UniqueID, sequence: UInt64, hash: UniqueID, mustRetire: Bool) {
    (self.log, self.sequence, self.hash) = (log, sequence, hash)
    self.mustRetire = mustRetire
  }

  /// The last event that is known to be the machine's own.
  var tip: Landmark? {
    sequence > 0 ? Landmark(log: log, sequence: sequence, hash: hash) : nil
  }

  init(_ json: JSON) throws(BookFileError) {
    let place = try Landmark(json, named: "left")
    self.init(
      log: place.log, sequence: place.sequence, hash: place.hash,
      mustRetire: json["mustRetire"]?.boolean ?? false)
  }

  var json: JSON {
    let place = Landmark(log: log, sequence: sequence, hash: hash)
    return .object((place.json.members ?? []) + [JSON.Member("mustRetire", .boolean(mustRetire))])
  }
}

extension Landmark {
  /// Reads a landmark from a member of `book.json`.
  init(_ json: JSON, named name: String) throws(BookFileError) {
    guard let log = json["log"]?.string.flatMap({ UniqueID(hex: $0) }),
      let hash = json["hash"]?.string.flatMap({ UniqueID(hex: $0) }),
      let sequence = json["sequence"]?.integer.flatMap({ UInt64(exactly: $0) })
    else { throw .missing(name) }
    self.init(log: log, sequence: sequence, hash: hash)
  }

  var json: JSON {
    .object(
      ("log", .string(log.hex)), ("sequence", .integer(Int64(clamping: sequence))),
      ("hash", .string(hash.hex)))
  }
}
