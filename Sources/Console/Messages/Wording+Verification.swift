import Journaling
import Phrasing
import Verifying

extension Fault {
  /// The fault and its position, in one line.
  var text: String {
    // A file that was shortened or replaced has no position to show.
    switch kind {
    case .shortened, .replaced: return "\(file.visible): \(kind.text)"
    default: break
    }
    let event = sequence.map { ", event \($0)" } ?? ""
    return "\(file.visible) at byte \(offset)\(event): \(kind.text)"
  }
}

extension Fault.Kind {
  fileprivate var text: String {
    switch self {
    case .strangeName:
      "does not belong here. If it is a copy that another program made of a file beside it, "
        + "'daybook verify --repair FILE' takes from it what is missing; then move it away"
    case .tooLarge: "is larger than such a file may be"
    case .overlap: "holds events that another file holds too"
    case .misnamed: "holds other events than its name says"
    case .disagreement(let sequence): "says something else of event \(sequence) than another file"
    case .knownHoles: "the list of events that are known to be missing cannot be read"
    case .noFounder:
      "no log here begins the book that this file names, so nothing counts that other devices wrote: "
        + "sync with a device that has that log, or put this file back from a copy; "
        + "if nothing has it any more, 'daybook found' makes a new book of what is here"
    case .rememberedTrust:
      "what is remembered of who may write cannot be read; a sync writes it anew"
    case .branch: "the branch is not the one its folder is named after"
    case .unrooted: "goes on from an event that no other file holds"
    case .midCommand: "the log forks within a command"
    case .unforked: "the branch begins as another one goes on"
    case .damage(let count): "\(count) bytes are damaged"
    case .foreign(let count): "\(count) bytes belong to another device's log"
    case .hole(let count): "\(count) bytes of zeros where events should be"
    case .tornTail(let count):
      "\(count) bytes at the end are no whole event: a write that never ended, or damage"
    case .newer(let version, let count):
      "\(count) bytes that a newer daybook has written, in version \(version) of its frames; "
        + "this one reads past them and writes nothing to the book until it is updated"
    case .missing(let range): "missing here: \(range.asEvents)"
    case .shortened(0, let known):
      "the whole log is missing: event \(known) of it was known here"
    case .shortened(let held, let known):
      "the log ends at event \(held), but event \(known) was known here: "
        + "missing \((held + 1...known).asEvents)"
    case .replaced(let sequence):
      "event \(sequence) that was here is gone, and another one has its number"
    case .knownHole(let range): "missing here, as is known: \(range.asEvents)"
    case .repeated(let range): "here once more: \(range.asEvents)"
    case .encoding(let fault): "is not written as it should be: \(fault.text)"
    case .unjoined(let joint): joint.text
    case .information: "the frame's information is wrong"
    case .salts: "the frame's salts are wrong"
    case .seedDiffers: "two frames say different things of the same salts"
    case .headMissing: "the last events are not signed"
    case .head: "the signature is wrong"
    case .header: "the event's header is wrong"
    case .overflow: "a number is beyond its limit"
    case .reference: "refers to what is not there"
    case .command: "a command is not whole"
    case .body: "the event's body is wrong"
    case .opening: "the log does not begin as it should"
    case .replica: "the log is not the one its folder is named after"
    }
  }
}

extension ClosedRange<UInt64> {
  /// A range of events, such as `event 3` or `events 3 to 5`.
  var asEvents: String {
    count == 1 ? "event \(lowerBound)" : "events \(lowerBound) to \(upperBound)"
  }
}

extension Fault.Joint {
  fileprivate var text: String {
    switch self {
    case .time: "the time does not go on from the frame before"
    case .when: "the moment told does not go on from the frame before"
    case .chain: "the hash does not go on from the frame before"
    case .table: "the table of logs does not go on from the frame before"
    }
  }
}
