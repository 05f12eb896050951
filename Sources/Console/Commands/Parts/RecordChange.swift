import Bytes
import Daybook
import Domain
import ReadModel

/// A change that a command makes to any number of records in one step.
struct RecordChange {
  /// The words of the question and of the report: `Mark`, `Marked` and ` as done`.
  let (verb, past, rest): (String, String, String)
  /// The kind of the records; nil for any.
  var kind: Kind? = .todo
  /// The records that can be named.
  var among = RecordFinder.Among.live
  /// The to-dos that can be selected.
  var selecting = TodoSelection.Scope.listed
  /// Whether the report omits changes to other records that only make room for these records.
  var hidesOthers = false
  /// Whether the to-dos of lists, and the choices and picks of questions, are hidden with their parents.
  var hidesContents = false
  /// Whether the repeats of repeating to-dos end.
  var endsRepeats = false
  /// Where the to-dos of deleted lists are after the change if they are kept: `on no list`; nil if the change keeps no
  /// such to-dos.
  var leaves: String?
  /// The ends that series lose because they get a rule without an end, by to-do: `on Fri 2027-12-31`.
  var lostEnds: [UniqueID: String] = [:]
  /// The sub-tasks that change with the to-dos.
  var subtasks = Subtasks.left
  /// Whether the report of a change to one date of a repeating to-do names the option that applies it to all dates.
  var advises = true
  var reopens = false
  /// Reports the changes of named records in sentences; nil for the usual changes.
  var tell: ((Performed) throws -> Void)?
  /// A note that follows the report.
  var note: String?
  /// The request, made under the lock.
  let request: (_ records: [UniqueID], _ model: ReadModel) throws(ReadModelError) -> Request

  enum Subtasks {
    case left, open, all
    /// The sub-tasks that an earlier command changed together with the to-dos.
    case together
  }

  init(
    _ verb: String, _ past: String, _ rest: String = "",
    request: @escaping (_ records: [UniqueID], _ model: ReadModel) throws(ReadModelError) -> Request
  ) {
    (self.verb, self.past, self.rest, self.request) = (verb, past, rest, request)
  }

  /// A change to to-dos that needs only their ids.
  init(
    _ verb: String, _ past: String, _ rest: String = "",
    selecting: TodoSelection.Scope, request: @escaping ([UniqueID]) -> Request
  ) {
    self.init(verb, past, rest) { records, _ in request(records) }
    self.selecting = selecting
  }
}
