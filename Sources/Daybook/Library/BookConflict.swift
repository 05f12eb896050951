import Domain
import ReadModel

/// A record that a search has found.
public struct RecordMatch: Identifiable, Hashable, Sendable {
  /// The identifier of the record.
  public let id: Book.RecordID
  /// The kind of the record.
  public let kind: RecordKind
  /// The title of the record, which may be empty.
  ///
  /// The title of a birthday consists of its known names. The title of a list or choice is its name, and the title of a
  /// question is its text.
  public let title: String
}

/// A disagreement between devices about a record, for the user to settle.
public struct BookConflict: Equatable, Sendable {
  /// The record in conflict.
  public let record: Book.RecordID
  /// The kind of the record; nil if its kind comes from a newer version.
  public let kind: RecordKind?
  /// The title of the record as shown now.
  public let title: String
  /// The field that has several values, by its name in ``Book/Event/fields``; nil if one device has deleted the record
  /// and another device has edited it, unaware of the deletion.
  public let field: String?
  /// The conflicting values, of which there are at least two.
  ///
  /// The first value is shown until the conflict is settled.
  public let sides: [Side]
  let subject: Conflict.Subject
}

extension BookConflict {
  /// The side that is shown until the conflict is settled.
  public var shown: Side { sides[0] }

  /// One of the values in conflict, and the devices that wrote it.
  public struct Side: Equatable, Sendable {
    /// The value that the devices wrote.
    public let content: Content
    /// The devices that wrote the value, latest first; at least one.
    public let writers: [Writer]
    /// The event that gave the field this value.
    let origin: Conflict.Writer
  }

  /// The value on one side of a conflict.
  public enum Content: Hashable, Sendable {
    /// Text, such as a title, a name or a note.
    case text(String)
    /// A list of strings, such as the tags.
    case texts([String])
    /// A whole number, such as a weight, a color as `0xRRGGBB`, a time in milliseconds since 1970, or a time of day in
    /// minutes since midnight.
    case number(Int)
    /// A yes-or-no value.
    case flag(Bool)
    /// A calendar date.
    case day(Book.Day)
    /// The priority of a to-do.
    case priority(Book.Priority)
    /// The rule by which a to-do repeats.
    case repeatRule(Book.RepeatRule)
    /// A record, such as the list or the parent of a to-do.
    case record(Book.RecordID)
    /// The field is empty.
    case nothing
    /// The record was edited, so this side keeps it.
    case edited
    /// The record was deleted.
    case deleted
    /// A value that this version does not support.
    case other
  }

  /// A device that wrote a value, and the time of the write.
  public struct Writer: Hashable, Sendable {
    /// The name of the device.
    public let device: String
    /// The time of the write by that device's clock, in milliseconds since 1970.
    public let milliseconds: Int64
    /// Whether the time is so far in the future that the clock must have been wrong.
    public let isClockSuspect: Bool
    /// Whether the device is the one that this program runs on.
    public let isThisDevice: Bool
  }
}

extension RecordMatch {
  /// Translates a candidate; nil if its kind comes from a newer version.
  init?(_ candidate: Candidate) {
    guard let kind = RecordKind(candidate.kind) else { return nil }
    self.init(id: Book.RecordID(candidate.id), kind: kind, title: candidate.title ?? "")
  }
}

extension BookConflict {
  init(_ conflict: Conflict, in model: ReadModel) throws(ReadModelError) {
    let document = conflict.document
    record = Book.RecordID(document.id)
    kind = RecordKind(document.kind)
    title = document.title
    subject = conflict.subject
    var schema: FieldSchema?
    if case .field(let number) = conflict.subject {
      schema = Schema.field(number, of: document.kind)
      field = schema?.name ?? "\(number.rawValue)"
    } else {
      field = nil
    }
    sides = try conflict.sides.map { side throws(ReadModelError) in
      Side(
        content: try Content(side.content, of: schema, in: model),
        writers: side.writers.map(Writer.init), origin: side.writers[0])
    }
  }
}

extension BookConflict {
  /// Settles the conflict in favour of one of its sides, if it has not changed since it was read.
  func settle(with side: Side, in book: Book) throws(DaybookError) {
    _ = try book.commands.perform(
      request(taking: side),
      checking: { () throws(DaybookError) in
        guard try isPresent(in: book) else { throw .conflictChanged }
      })
  }

  /// The request that settles the conflict in favour of one of its sides.
  private func request(taking side: Side) throws(DaybookError) -> Request {
    guard sides.contains(side) else { throw .otherSide }
    switch (subject, side.content) {
    case (.life, .edited): return .settleLife(record.id, isKept: true)
    case (.life, .deleted): return .settleLife(record.id, isKept: false)
    case (.life, _): throw .otherSide
    case (.field(let field), _): return .settle(record.id, field, .written(by: side.origin))
    }
  }

  /// Whether a book still contains the conflict, with the same values.
  private func isPresent(in book: Book) throws(DaybookError) -> Bool {
    let key = try book.finder.key(of: record.id, try book.core.projector.view())
    let present = try book.conflictReader.conflicts(of: [key]).first { $0.subject == subject }
    let origins = present?.sides.map { $0.writers[0].origin } ?? []
    return Set(origins) == Set(sides.map(\.origin.origin))
  }
}

extension BookConflict.Content {
  fileprivate init(
    _ content: Conflict.Content, of field: FieldSchema?, in model: ReadModel
  ) throws(ReadModelError) {
    switch content {
    case .edited: self = .edited
    case .deleted: self = .deleted
    case .value(let value):
      guard let field else {
        self = .other
        return
      }
      switch (field.type, field.meaning(of: value)) {
      case (_, .null): self = .nothing
      case (.date, let day): self = day.date.map { .day(Book.Day($0)) } ?? .other
      case (.priority, .integer(let number)):
        self = Book.Priority(rawValue: Int(clamping: number)).map { .priority($0) } ?? .other
      case (_, .boolean(let flag)): self = .flag(flag)
      case (_, .integer(let number)): self = .number(Int(clamping: number))
      case (.repeatRule, .text(let text)):
        self = Book.RepeatRule(stored: text).map { .repeatRule($0) } ?? .text(text)
      case (_, .text(let text)): self = .text(text)
      case (_, .texts(let texts)): self = .texts(texts)
      case (_, .reference(let key)):
        let id = try model.documents.document(key)?.id
        self = id.map { .record(Book.RecordID($0)) } ?? .other
      case (_, .bytes), (_, .other): self = .other
      }
    }
  }
}

extension BookConflict.Writer {
  fileprivate init(_ writer: Conflict.Writer) {
    self.init(
      device: writer.device, milliseconds: writer.time, isClockSuspect: writer.isClockSuspect,
      isThisDevice: writer.isThis)
  }
}
