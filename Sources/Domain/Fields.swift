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
    self == .owner || (self == Todo.list && kind == .todo)
  }
}
