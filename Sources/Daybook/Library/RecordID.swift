import Bytes
import Domain

extension Book {
  /// What names a record, the same on every machine and for ever.
  public struct RecordID: Hashable, Comparable, Sendable, CustomStringConvertible {
    let id: UniqueID

    init(_ id: UniqueID) { self.id = id }

    /// Reads an id from a UUID as ``description`` writes it; nil where the text is none.
    public init?(_ text: String) {
      guard let id = UniqueID(uuid: text) else { return nil }
      self.id = id
    }

    /// The id as a UUID.
    public var description: String { id.uuid }

    /// Orders ids in a way that says nothing, and is the same everywhere.
    public static func < (left: RecordID, right: RecordID) -> Bool { left.id < right.id }
  }
}
