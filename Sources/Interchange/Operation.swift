package import Domain

/// One line of an operation log: what somebody did to one record, named as its source names it.
package struct Operation: Sendable {
  package enum Verb: String, Sendable {
    case add, edit, delete, restore

    /// What an event does to the record it is about.
    package init(_ verb: Domain.Verb) {
      self =
        switch verb {
        case .add: .add
        case .edit, .alias: .edit
        case .delete: .delete
        case .restore: .restore
        }
    }
  }

  /// What is written to a field.
  package enum Content: Hashable, Sendable {
    case value(Value)
    /// A reference, by the source id of what it leads to.
    case source(String)
  }

  /// A field and what is written to it; null clears.
  package struct Assignment: Hashable, Sendable {
    package var field: Field
    package var content: Content

    package init(_ field: Field, _ content: Content) {
      self.field = field
      self.content = content
    }
  }

  /// Something the source says beyond the fields, such as who did it.
  package struct Remark: Hashable, Sendable {
    package var name: String
    package var text: String

    package init(_ name: String, _ text: String) {
      self.name = name
      self.text = text
    }
  }

  /// The largest of what a line may hold; fields have the limits of ``Schema``.
  package enum Limit {
    package static let lineBytes = 1 << 20
    package static let idBytes = 1024
    package static let provenanceBytes = Schema.Limit.mapBytes
    /// The instants of the years 1 to 9999.
    package static let time: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999
  }

  /// When it happened, in milliseconds; an event taken from it has this as its *when*.
  package var time: Int64?
  package var verb: Verb
  package var kind: Kind
  /// The source id of the record.
  package var id: String
  /// In the order of the line; each field once.
  package var assignments: [Assignment]
  /// Why it was done.
  package var because: String?
  /// In the order of the line; each name once.
  package var provenance: [Remark]

  package init(
    _ verb: Verb, _ kind: Kind, id: String, time: Int64? = nil, _ assignments: [Assignment] = [],
    because: String? = nil, provenance: [Remark] = []
  ) {
    self.verb = verb
    self.kind = kind
    self.id = id
    self.time = time
    self.assignments = assignments
    self.because = because
    self.provenance = provenance
  }
}

extension Operation: Equatable {
  /// Compares what would be written, byte by byte.
  package static func == (left: Operation, right: Operation) -> Bool { left.json == right.json }
}
