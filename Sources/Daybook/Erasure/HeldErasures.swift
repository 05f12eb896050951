package import Bytes
package import Domain

/// The erasures of one device that are held.
package struct HeldErasures: Hashable, Sendable {
  /// What the device is called where devices are listed.
  package var device: String
  /// The log with the first of them, by id.
  package var replica: UniqueID
  /// Words that stand for the device's key.
  package var fingerprint: [String]
  /// How many records they name.
  package var records: Int
}

/// A record that an erasure names which is held.
package struct HeldRecord: Hashable, Sendable {
  /// Its id; nil while nothing tells it.
  package var id: UniqueID?
  /// What it is, if it has come.
  package var kind: Kind?
  package var title: String?
  /// What the device is called that erased it, where devices are listed.
  package var device: String
  /// When that was, by the clock of that device; nil where the event is lost.
  package var time: Int64?
}
