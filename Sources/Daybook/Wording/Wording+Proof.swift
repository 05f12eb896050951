import Proving
import Platform
import Wording

extension ProofObstacle {
  var told: Told {
    switch self {
    case .noEvent:
      Told(
        "nothing-to-prove", .refused,
        "no event of this record fits the request, so there is nothing to prove.")
    case .missing(let device, let sequence):
      Told(
        "event-missing", .dataFault,
        "event \(sequence) of \(device.visible) cannot be read, and the proof needs it. "
          + "'daybook verify' checks the logs.")
    case .unsigned(let device, let sequence):
      Told(
        "unsigned", .refused,
        "no signature of \(device.visible) covers its event \(sequence) yet, and its key is not on this device. "
          + "Make the proof on \(device.visible), or sync with it first.")
    case .faulty(let fault):
      Told(
        "bad-proof", .dataFault,
        "the proof would not hold, because \(fault.reason). 'daybook verify' checks the logs.")
    case .tooLarge(let limit):
      Told(
        "proof-too-large", .refused,
        "the proof would be larger than \(limit >> 20) MiB, the most that 'check-proof' reads. "
          + "Without --unbroken, or on the device that wrote the events, it is smaller.")
    }
  }
}

extension ProofFault {
  /// The reason as a clause after *because*.
  package var reason: String {
    switch self {
    case .notAProof: "the file is not a proof"
    case .version(let version):
      "the file has version \(version) of the format, and this program reads version 1"
    case .tooLarge(let limit): "the file is larger than \(limit >> 20) MiB"
    case .encoding(let error): "the file is damaged (\(error.text))"
    case .key(let log): "the key of log \(log + 1) is not a valid key"
    case .header(let log, let sequence):
      "the header of event \(sequence) of log \(log + 1) is not valid"
    case .beginning(let log):
      "event 1 of log \(log + 1) does not begin the log of that key, so the event is from another log"
    case .order(let log, let sequence):
      "event \(sequence) of log \(log + 1) comes after a later event"
    case .repeated(let log, let sequence):
      "event \(sequence) of log \(log + 1) is in the file twice"
    case .contradiction(let log, let sequence):
      "log \(log + 1) contains two different events \(sequence)"
    case .signature(let log, let sequence):
      "the signature at event \(sequence) of log \(log + 1) does not match the events before it and the key, "
        + "so something was changed, left out, added or moved"
    case .unsigned(let log, let sequence):
      "nothing proves the events up to event \(sequence) of log \(log + 1), because the signature is missing"
    case .opening(let log):
      "event 1 of log \(log + 1), or another event in its form, does not name the key of that log"
    case .body(let log, let sequence):
      "the content of event \(sequence) of log \(log + 1) is malformed"
    case .founder: "the file does not show the event that began the book with this id"
    case .unadmitted(let log):
      "the file does not show that a device of the book admitted the key of log \(log + 1)"
    case .record: "the file does not contain the event that added the record with this id"
    case .hiddenAdd(let log, let sequence):
      "event \(sequence) of log \(log + 1), which added the record, is neither shown nor erased"
    case .index(let log, let sequence):
      "the file does not show which log event \(sequence) of log \(log + 1) refers to"
    case .ambiguous(let log, let sequence):
      "event \(sequence) of log \(log + 1) refers to an event of which the file contains two versions"
    case .foreign(let log, let sequence):
      "event \(sequence) of log \(log + 1) is not about this record"
    case .needless(let log, let sequence):
      "event \(sequence) of log \(log + 1) is neither about this record nor about a device in the file"
    }
  }
}
