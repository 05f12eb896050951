package import Domain

/// One line of an operation log: a change to one record, which is identified by its id in the source.
package struct Operation: Sendable {
  package enum Verb: String, Sendable {
    case add, edit, delete, restore

    /// Creates the verb of the operation that corresponds to an event with the given verb.
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

  /// What an assignment writes: a value, or a reference to a record.
  package enum Content: Hashable, Sendable {
    case value(Value)
    /// A reference, given by the source id of the record that it refers to.
    case source(String)
  }

  /// A field and the content to write to it; null clears the field.
  package struct Assignment: Hashable, Sendable {
    package var field: Field
    package var content: Content

    package init(_ field: Field, _ content: Content) {
      self.field = field
      self.content = content
    }
  }

  /// Other information from the source, such as who made the change.
  package struct Remark: Hashable, Sendable {
    package var name: String
    package var text: String

    package init(_ name: String, _ text: String) {
      self.name = name
      self.text = text
    }
  }

  /// The limits of a line; fields have the limits of ``Schema``.
  package enum Limit {
    package static let lineBytes = 1 << 20
    package static let idBytes = 1024
    package static let provenanceBytes = Schema.Limit.mapBytes
    /// The valid instants, which are those of the years 1 to 9999.
    package static let time: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999
  }

  /// The time of the change, in milliseconds, from which the *when* of the operation's events is determined.
  package var time: Int64?
  package var verb: Verb
  package var kind: Kind
  /// The source id of the record.
  package var id: String
  /// The assignments in the order of the line, with each field only once.
  package var assignments: [Assignment]
  /// The reason for the change.
  package var because: String?
  /// The remarks in the order of the line, with each name only once.
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
  /// Compares the operations as they would be written, byte by byte.
  package static func == (left: Operation, right: Operation) -> Bool { left.json == right.json }
}
