/// The numbers of the fields that belong to one kind; those of every kind stand beside ``Field``.
///
/// The number of a field is never used again for anything else.
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
  /// Whether a write of the field names the entity's parent, and so counts in that one's life as an edit.
  package func namesParent(in kind: Kind?) -> Bool {
    self == .owner || (base == Todo.list && kind == .todo)
  }
}

// An event can give a field several values at once: an undo does, to bring back a conflict.

extension Field {
  /// Fields have numbers below this one; from there on stand alternatives of them.
  private static let span: Int64 = 256
  /// The most values that an event gives a field beside the first.
  package static let mostAlternatives = 15
  /// The highest number that a write can have.
  package static let last = Field(rawValue: span * Int64(mostAlternatives + 1) - 1)

  /// Set by an undo that brings back a delete against an edit; no one sees it as a field.
  package static let disputed = Field(rawValue: span - 1)

  /// The field that a write gives a value to, whether it is the first or an alternative.
  package var base: Field { isAlternative ? Field(rawValue: rawValue % Self.span) : self }

  package var isAlternative: Bool { rawValue >= Self.span }

  /// Which of the values of an event it stands for; 0 for the first.
  package var alternative: Int { isAlternative ? Int(rawValue / Self.span) : 0 }

  /// What stands for another value of the field beside the first, counted from 1.
  package func alternative(_ number: Int) -> Field {
    Field(rawValue: rawValue + Self.span * Int64(number))
  }
}
