package import Bytes
package import Domain

/// What a user asks of a book.
///
/// Records are named by their ids.
package enum Request: Sendable {
  case addBirthday(firstName: String?, lastName: String?, birthdate: CivilDate?)
  case addList(name: String, colour: Int64?)
  case addTodo(
    title: String, list: ListChoice, priority: Int64?, due: CivilDate?, note: String? = nil,
    tags: [String] = [])
  case addQuestion(content: String, choices: [(name: String, weight: Int64)])
  case addChoice(question: UniqueID, name: String, weight: Int64?)
  case edit(UniqueID, [Assignment])
  /// Edits several records in one command.
  case editEach([(id: UniqueID, assignments: [Assignment])])
  case setDone([UniqueID], Bool)
  case delete([UniqueID], children: Domain::Command.ChildRule = .hide)
  case restore([UniqueID])
  case pick(UniqueID)
  /// Settles the conflict in a field of a record.
  case settle(UniqueID, Field, Settlement)
  /// Settles the conflict between a delete and an edit.
  case settleLife(UniqueID, isKept: Bool)
  /// Joins two records.
  case merge(UniqueID, UniqueID)

  /// The value that a field gets.
  package enum Settlement: Sendable {
    case written(by: Conflict.Writer)
    case content(Assignment.Content)
  }

  /// The index of the draft that is about the record of the request, or of the first such record.
  func subject(among drafts: [Draft]) -> Int {
    // The draft of a new list comes before that of its to-do.
    if case .addTodo = self { drafts.count - 1 } else { 0 }
  }

  /// Where a new to-do goes.
  package enum ListChoice: Sendable {
    case none
    case existing(UniqueID)
    /// A list of that name, created in the same command.
    case new(name: String)
  }

  /// A field and its new value.
  package struct Assignment: Sendable {
    package enum Content: Sendable {
      case value(Value)
      case record(UniqueID)
    }

    package var field: Field
    package var content: Content

    package init(_ field: Field, _ content: Content) {
      self.field = field
      self.content = content
    }
  }
}

/// The result of a request.
package struct Performed: Sendable {
  /// One changed record, as it is now.
  package struct Change: Sendable {
    package var verb: Verb
    package var document: Document
    /// The fields that were written, in the order of the event.
    package var fields: [Field]
    /// The two records that an alias has joined, or the one that they are now; empty for other events.
    package var joined: [Document] = []
    /// The name of the device whose deletion this command has settled in favor of the record; nil if there was none.
    package var keptFrom: String?
    /// Parents of which the same is true, because the command gave them a child.
    package var keptParents: [Kept] = []
  }

  /// A record that a command has kept although a device deleted it.
  package struct Kept: Sendable {
    package var document: Document
    /// The name of that device.
    package var device: String
  }

  package var changes: [Change]
  /// Whether nothing was written, because nothing would have changed.
  package var isNothing: Bool { changes.isEmpty }
}
