package import Bytes
package import Domain

/// What a user asks of a book, naming records by their ids.
package enum Request: Sendable {
  case addBirthday(firstName: String?, lastName: String?, birthdate: CivilDate?)
  case addList(name: String, colour: Int64?)
  case addTodo(
    title: String, list: ListChoice, priority: Int64?, due: CivilDate?, note: String? = nil,
    tags: [String] = [])
  case addQuestion(content: String, choices: [(name: String, weight: Int64)])
  case addChoice(question: UniqueID, name: String, weight: Int64?)
  case edit(UniqueID, [Assignment])
  /// The same for several records, as one command.
  case editEach([(id: UniqueID, assignments: [Assignment])])
  case setDone([UniqueID], Bool)
  case delete([UniqueID], children: Domain::Command.ChildRule = .hide)
  case restore([UniqueID])
  case pick(UniqueID)
  /// Settles the conflict in a field of a record.
  case settle(UniqueID, Field, Settlement)
  /// Settles a delete against an edit.
  case settleLife(UniqueID, isKept: Bool)
  /// Makes one record of two.
  case merge(UniqueID, UniqueID)

  /// What a field shall hold from now on.
  package enum Settlement: Sendable {
    case written(by: Conflict.Writer)
    case content(Assignment.Content)
  }

  /// Which of its drafts is about the record it is for, or the first of those.
  func subject(among drafts: [Draft]) -> Int {
    // A list made for a to-do comes before it.
    if case .addTodo = self { drafts.count - 1 } else { 0 }
  }

  /// Where a new to-do goes.
  package enum ListChoice: Sendable {
    case none
    case existing(UniqueID)
    /// A list of that name, made in the same command.
    case new(name: String)
  }

  /// A field and what it shall hold.
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

/// What a request did.
package struct Performed: Sendable {
  /// One record it changed, as it is now.
  package struct Change: Sendable {
    package var verb: Verb
    package var document: Document
    /// The fields written, in the order of the event.
    package var fields: [Field]
    /// The two records, or the one, that an alias joins or has joined; empty for all other events.
    package var joined: [Document] = []
    /// The name of the device whose deletion this command has settled in favour of the record; nil if there was none.
    package var keptFrom: String?
    /// Lists and questions of which the same is so, because the command put something on them.
    package var keptParents: [Kept] = []
  }

  /// A record that a command has kept although a device deleted it.
  package struct Kept: Sendable {
    package var document: Document
    /// The name of the device.
    package var device: String
  }

  package var changes: [Change]
  /// Nothing differed from what was there, so nothing was written.
  package var isNothing: Bool { changes.isEmpty }
}
