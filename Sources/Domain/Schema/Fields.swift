/// The fields of each kind; the common fields are declared in ``Field``.
///
/// Within a kind, the number of a field is never reused.
extension Field {
  package enum Birthday {
    package static let firstName = Field(rawValue: 5)
    package static let lastName = Field(rawValue: 6)
    package static let birthdate = Field(rawValue: 7)
    package static let leapRule = Field(rawValue: 8)
    package static let lead = Field(rawValue: 9)
  }

  package enum List {
    package static let name = Field(rawValue: 5)
    package static let colour = Field(rawValue: 6)
  }

  package enum Todo {
    package static let title = Field(rawValue: 5)
    package static let list = Field(rawValue: 6)
    package static let done = Field(rawValue: 7)
    package static let completedAt = Field(rawValue: 8)
    package static let priority = Field(rawValue: 9)
    package static let createdAt = Field(rawValue: 10)
    package static let due = Field(rawValue: 11)
    package static let position = Field(rawValue: 12)
    /// The minute of the day at which a to-do is due.
    package static let dueTime = Field(rawValue: 13)
    /// The time zone of the due date and time; without a zone, they are in local time anywhere.
    package static let zone = Field(rawValue: 14)
    /// The day until which a to-do is hidden.
    package static let start = Field(rawValue: 15)
    /// The rule by which a to-do repeats; see ``RepeatRule``.
    package static let `repeat` = Field(rawValue: 16)
    /// The last day on which a slot of a series can fall.
    package static let until = Field(rawValue: 17)
    /// The date of the series that an occurrence stands for.
    package static let slot = Field(rawValue: 18)
    /// The day on which a to-do was closed, in the zone of the device that closed it.
    package static let closedOn = Field(rawValue: 19)
    /// Whether a to-do was closed without being done.
    package static let cancelled = Field(rawValue: 20)
    /// The times before a to-do is due at which its reminders ring.
    package static let remind = Field(rawValue: 21)
    /// The parent of a sub-task.
    package static let parent = Field(rawValue: 22)
  }

  package enum Question {
    package static let content = Field(rawValue: 5)
  }

  package enum Choice {
    package static let name = Field(rawValue: 5)
    package static let weight = Field(rawValue: 6)
  }

  package enum Pick {
    package static let choice = Field(rawValue: 5)
    package static let draw = Field(rawValue: 6)
  }
}

extension Field {
  /// Whether the field refers to the entity's parent; if so, a write to it counts as an edit in the parent's life.
  package func namesParent(in kind: Kind?) -> Bool {
    self == .owner || (base == Todo.list && kind == .todo)
  }
}

// An event can give a field several values at once; an undo does this to reopen a conflict.

extension Field {
  /// The numbers of fields other than tags are below this number; the numbers from it to ``last`` stand for
  /// alternatives.
  private static let span: Int64 = 256
  /// The maximum number of values that an event gives a field in addition to the first.
  package static let mostAlternatives = 15
  /// The field with the highest number that a write can have, except for tags.
  package static let last = Field(rawValue: span * Int64(mostAlternatives + 1) - 1)

  /// The field that an undo writes to reopen a conflict between a delete and an edit; it is not part of any schema.
  package static let disputed = Field(rawValue: span - 1)

  /// The number of bytes that quotas charge for a write to the field, in addition to its encoding.
  ///
  /// An entity can have any number of tags, and its state is kept in memory as a whole. Therefore, more is charged for
  /// tags and for all other fields that no kind declares.
  var chargedBytes: Int { rawValue < Self.span ? 16 : 128 }

  /// The field itself, or the field that this is an alternative of.
  package var base: Field { isAlternative ? Field(rawValue: rawValue % Self.span) : self }

  package var isAlternative: Bool { rawValue >= Self.span && rawValue <= Self.last.rawValue }

  /// The position among the values of an event; 0 for the first.
  package var alternative: Int { isAlternative ? Int(rawValue / Self.span) : 0 }

  /// The field number of an additional value of this field, counted from 1.
  package func alternative(_ number: Int) -> Field {
    Field(rawValue: rawValue + Self.span * Int64(number))
  }
}

extension [Field] {
  /// Whether a write to the fields closes a to-do or opens it again.
  package var decideState: Bool { contains(Field.Todo.done) || contains(Field.Todo.cancelled) }
}
