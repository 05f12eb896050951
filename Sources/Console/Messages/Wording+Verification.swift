import Journaling
import Phrasing
import Verifying

extension Fault {
  /// The fault and its position, in one line.
  var text: String {
    // These faults concern a whole log, so they have no position to show.
    switch kind {
    case .shortened, .replaced, .unplaced: return "\(file.visible): \(kind.text)"
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
      "does not belong to the book. "
        + "If another program created it as a copy of a file in the same folder, "
        + "run 'daybook verify --repair FILE' to restore missing events from it, and then move it away"
    case .tooLarge: "is larger than its limit"
    case .folder: "is a folder, although it has the name of a file with events; move it away"
    case .overlap: "holds events that are also in another file"
    case .misnamed:
      "holds events other than those that its name states; if it is a copy of a file beside it, move it away"
    case .disagreement(let sequence): "contradicts another file about event \(sequence)"
    case .knownHoles: "the list of events that are known to be missing cannot be read"
    case .noFounder:
      "the log that begins the book named in this file is missing, so events of other devices do not count; "
        + "sync with a device that has that log, or restore this file from a copy; "
        + "if the log is lost, 'daybook found' makes a new book from the remaining events"
    case .rememberedTrust:
      "the copy of the events that decide who may write cannot be read; the next sync replaces it"
    case .branch: "the branch does not match its folder's name"
    case .unrooted: "continues from an event that no other file holds"
    case .midCommand: "the log forks within a command"
    case .unforked: "the branch begins with events that its trunk or another branch also holds"
    case .damage(let count): "\(count.counted("byte is", "bytes are")) damaged"
    case .foreign(let count):
      "\(count.counted("byte belongs", "bytes belong")) to another device's log"
    case .hole(let count):
      "\(count.counted("byte is zero", "bytes are zero")) where events should be"
    case .tornTail(let count):
      "\(count.counted("byte", "bytes")) at the end \(count == 1 ? "is" : "are") not a complete event, because of an unfinished write or damage"
    case .newer(let version, let count):
      "\(count.counted("byte was", "bytes were")) written by a newer daybook, in frames of version \(version); "
        + "this version of daybook skips \(count == 1 ? "it" : "them"), and cannot write to the book until you update daybook"
    case .missing(let range): "missing: \(range.asEvents)"
    case .shortened(0, let known):
      "the whole log is missing, although this device has seen events up to \(known)"
    case .shortened(let held, let known):
      "the log ends at event \(held), but this device has seen event \(known); missing: \((held + 1...known).asEvents)"
    case .replaced(let sequence):
      "event \(sequence) was replaced by a different event"
    case .knownHole(let range): "known to be missing: \(range.asEvents)"
    case .unplaced(let range):
      "\(range.asEvents) \(range.count == 1 ? "is" : "are") stored but not shown, "
        + "because an earlier event of the branch is missing"
    case .repeated(let range): "repeated: \(range.asEvents)"
    case .misplaced(let range): "out of place in the file: \(range.asEvents)"
    case .encoding(let fault): "has an invalid encoding: \(fault.text)"
    case .unjoined(let joint): joint.text
    case .information: "the frame's information is wrong"
    case .salts: "the frame's salts are wrong"
    case .seedDiffers: "two frames contradict each other about the same salts"
    case .headMissing: "the last events are not signed"
    case .head: "the signature is invalid"
    case .header: "the event's header is wrong"
    case .overflow: "a number exceeds its limit"
    case .reference: "refers to a log or an event that is not known at this point in the log"
    case .command: "a command is incomplete, too large, or contains another command"
    case .body: "the event's body is wrong"
    case .opening: "the log has an invalid beginning"
    case .replica: "the log does not match its folder's name"
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
    case .time: "its starting time does not match the end of the previous frame"
    case .when: "its starting moment does not match the end of the previous frame"
    case .chain: "its starting hash does not match the end of the previous frame"
    case .table: "its table of logs does not continue that of the previous frame"
    }
  }
}
