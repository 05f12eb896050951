package import Bytes
package import Domain

/// A change that a user requests.
///
/// Records are identified by their ids.
package enum Request: Sendable {
  case addBirthday(firstName: String?, lastName: String?, birthdate: CivilDate?)
  /// Adds a list; if no colour is given, the list gets the ``ListColour`` that the fewest lists have.
  case addList(name: String, colour: Int64?)
  case addTodo(
    title: String, list: ListChoice, priority: Int64?, due: CivilDate?, note: String? = nil,
    tags: [String] = [], start: CivilDate? = nil, parent: UniqueID? = nil,
    others: [Assignment] = [])
  case addQuestion(content: String, choices: [(name: String, weight: Int64)])
  case addChoice(question: UniqueID, name: String, weight: Int64?)
  case edit(UniqueID, [Assignment], scope: EditScope = .automatic)
  /// Edits several records in one step.
  case editEach([(id: UniqueID, assignments: [Assignment])], scope: EditScope = .automatic)
  /// Marks to-dos as done, or opens them again. Unless `alone` is set, their open sub-tasks are marked as done with
  /// them, and sub-tasks that were closed with them are opened again.
  case setDone([UniqueID], Bool, alone: Bool = false)
  /// Closes to-dos without marking them as done; unless `alone` is set, also closes their open sub-tasks.
  case cancel([UniqueID], alone: Bool = false)
  /// Closes the current occurrences of repeating to-dos, without marking them as done.
  case skip([UniqueID])
  /// Deletes records; unless `alone` is set, also deletes the sub-tasks of to-dos.
  case delete([UniqueID], children: Domain::Command.ChildRule = .hide, alone: Bool = false)
  /// Restores records; unless `alone` is set, also restores the sub-tasks that were deleted together with to-dos.
  case restore([UniqueID], alone: Bool = false)
  case pick(UniqueID)
  /// Settles the conflict in a field of a record.
  case settle(UniqueID, Field, Settlement)
  /// Settles the conflict between a delete and an edit; keeping a to-do also restores the sub-tasks deleted with it.
  case settleLife(UniqueID, isKept: Bool)
  /// Joins two records; where both have a value, the first record's value is used, unless both values are kept as a
  /// conflict.
  case merge(UniqueID, UniqueID, keepsBoth: Bool = false)

  package typealias EditScope = Domain::Command.EditScope

  /// The value that a field gets.
  package enum Settlement: Sendable {
    case written(by: Conflict.Writer)
    case content(Assignment.Content)
  }

  /// The index of the draft about the requested record, or about the first of several.
  func subject(among drafts: [Draft]) -> Int {
    switch self {
    // The draft for a new list comes before the draft for its to-do, and edits of values come before an alias.
    case .addTodo, .merge: drafts.count - 1
    default: 0
    }
  }

  /// The list for a new to-do.
  package enum ListChoice: Sendable {
    case none
    case existing(UniqueID)
    /// A new list with this name, created by the same command.
    case new(name: String)
  }

  /// A field and its new value.
  package struct Assignment: Sendable {
    package enum Content: Sendable {
      case value(Value)
      case record(UniqueID)
      /// The day that comes this many days before the due date that the record has after the command.
      case daysBeforeDue(Int)

      /// Whether the value depends on the due date that the record gets.
      var countsFromDue: Bool { if case .daysBeforeDue = self { true } else { false } }
    }

    package var field: Field
    package var content: Content

    package init(_ field: Field, _ content: Content) {
      self.field = field
      self.content = content
    }

    /// Adds a tag to the record's tags.
    package static func tag(_ text: String) -> Assignment {
      Assignment(Field(tag: text), .value(.text(text)))
    }

    /// Removes a tag.
    package static func untag(_ text: String) -> Assignment {
      Assignment(Field(tag: text), .value(.boolean(false)))
    }
  }
}

/// A change that a request would make to a record.
package struct PlannedChange: Hashable, Sendable {
  package let document: UniqueID
  /// The record under which the change is reported; for a date of a repeating to-do, this is the to-do.
  package let subject: UniqueID
  /// Whether the change is to a repeating to-do as a whole.
  package let isOfSeries: Bool
  /// Whether the change gives one date of a repeating to-do values of its own.
  package let isOfOneDate: Bool

  init(
    _ verb: Verb, _ fields: [Field], of document: Document, under subject: Document, isOfDate: Bool
  ) {
    (self.document, self.subject) = (document.id, subject.id)
    isOfSeries = !isOfDate && document.hasRule
    isOfOneDate = isOfDate && !Performed.Change.isOfState(verb, fields)
  }
}

/// The result of a request.
package struct Performed: Sendable {
  /// A changed record in its new state.
  package struct Change: Sendable {
    package var verb: Verb
    package var document: Document
    /// The fields that were written, in the order in which the event lists them.
    package var fields: [Field]
    /// The change to an occurrence, if the record is one; otherwise nil.
    package var occurrence: OccurrenceChange?
    /// Whether a member of an occurrence that was deleted or restored closes the date.
    package var isOfClosing = false
    /// Whether another living member closes the date as well.
    package var isClosedByOthers = false
    /// The two records that an alias has joined, or the one record that they have become; empty for other events.
    package var joined: [Document] = []
    /// The name of the device whose deletion this command has settled in favour of the record; nil if there is none.
    package var keptFrom: String?
    /// Parents that the command has likewise kept, by giving them a child.
    package var keptParents: [Kept] = []

    /// The record that was changed, and the record under which the change is reported.
    package var planned: PlannedChange {
      PlannedChange(verb, fields, of: document, under: subject, isOfDate: occurrence != nil)
    }

    /// The record that the change is reported under: for an occurrence, its to-do.
    package var subject: Document { occurrence?.todo ?? document }

    /// Whether the change is a delete or a restore, or only sets whether and when a to-do is closed.
    package var isOfState: Bool { Self.isOfState(verb, fields) }

    /// Whether the date was closed before the change and, if it is closed after it, has been left as it was.
    package var leavesState: Bool {
      switch verb {
      case .add: false
      case .delete: isOfClosing
      case .restore: isOfClosing && isClosedByOthers
      case .edit, .alias: true
      }
    }

    fileprivate static func isOfState(_ verb: Verb, _ fields: [Field]) -> Bool {
      verb == .delete || verb == .restore || fields.decideState
    }
  }

  /// A change to one date of a repeating to-do.
  package struct OccurrenceChange: Sendable {
    /// The repeating to-do, or the sub-task of one.
    package var todo: Document
    package var slot: CivilDate
    /// How the to-do repeats after the command; nil if it no longer repeats.
    package var recurrence: Recurrence?
  }

  /// A record that a command has kept although a device deleted it.
  package struct Kept: Sendable {
    package var document: Document
    /// The name of the device that deleted the record.
    package var device: String
  }

  package var changes: [Change]
  /// Whether nothing was written because the request changes nothing.
  package var isNothing: Bool { changes.isEmpty }
}
