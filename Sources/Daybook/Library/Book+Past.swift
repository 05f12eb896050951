import Bytes
import Domain

extension Book {
  /// Something that was done to a record, by whom and when.
  public struct Event: Equatable, Sendable {
    /// What was done.
    public enum Deed: Hashable, Sendable {
      /// It came into being.
      case added
      /// Some of what it says was written.
      case edited
      /// It was deleted.
      case deleted
      /// It was brought back.
      case restored
      /// It was made one with another, or that was taken back.
      case joined
    }

    /// What was done.
    public let deed: Deed
    /// The record, if it can still be told which.
    public let record: RecordID?
    /// What the record is called now.
    public let title: String?
    /// The fields that were written, by the names that `daybook help json` lists.
    public let fields: [String]
    /// What the device is called that did it.
    public let device: String
    /// When it was done, in milliseconds since 1970.
    public let milliseconds: Int64
    /// Whether it took something back, or did it again.
    public let isUndo: Bool
    /// Why it was done, if that was said.
    public let reason: String?
  }

  /// What was done, the latest first.
  ///
  /// - Parameters:
  ///   - record: The record it was done to; nil for all.
  ///   - limit: How many at most.
  /// - Returns: The events; all of them are kept for ever, but what was erased.
  /// - Throws: ``Failure`` where there is no such record.
  public func events(of record: RecordID? = nil, limit: Int = 100) throws(Failure) -> [Event] {
    try Self.failing { () throws(DaybookError) in
      try history(HistoryWish(id: record?.id, limit: limit)).entries.map(Event.init)
    }
  }
}

extension Book.Event {
  init(_ entry: HistoryEntry) {
    let kind = entry.document?.kind
    self.init(
      deed: Deed(entry.fact.body.verb), record: entry.document.map { Book.RecordID($0.id) },
      title: entry.document?.title,
      fields: entry.fact.body.writes.compactMap { write in
        kind.flatMap { Schema.field(write.field, of: $0)?.name }
      },
      device: entry.device, milliseconds: entry.fact.effectiveTime, isUndo: entry.undoer != nil,
      reason: entry.reason)
  }
}

extension Book.Event.Deed {
  fileprivate init(_ verb: Verb) {
    self =
      switch verb {
      case .add: .added
      case .edit: .edited
      case .delete: .deleted
      case .restore: .restored
      case .alias: .joined
      }
  }
}
