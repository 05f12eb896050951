package import Bytes
package import Journaling

extension JournalError {
  package var told: Told {
    switch self {
    case .disk(let error): return error.told
    case .locked(let holder):
      return Told(
        "busy", .busy,
        "the book is busy" + (holder.map { ": process \($0.visible) is writing" } ?? "")
          + ". Try again in a moment.")
    case .changed:
      return Told(
        "busy", .busy, "another program has written to the book meanwhile. Run the command again.")
    case .unwritable(_, let fault):
      return Told(
        "unwritable", .refused,
        "that cannot be written down as events: \(fault.text). Nothing was written.")
    case .poisoned:
      return Told(
        "disk", .cannotWrite,
        "the disk did not keep what was written before, so nothing more is written. "
          + "Check the disk and run daybook again.")
    case .commandTooLarge(let events, let bytes):
      return Told(
        "too-large", .refused,
        "that is too much for one command: \(events) events, \(bytes) bytes. Do it in parts.")
    case .newer:
      return Told("newer", .refused, text + ". Update this one; nothing was written.")
    case .asideFull:
      return Told(
        "aside-full", .refused,
        "too much has come from devices that nobody has admitted. Admit them, or delete 'aside'.")
    case .overQuota:
      return Told("over-quota", .refused, text + ". 'daybook device quota' shows and raises it.")
    case .replayed:
      return Told("replayed", .network, text + ". What had arrived is kept.")
    case .refused, .unjoined, .wrongOpening, .wrongHead, .unproved:
      return Told(
        "damage", .dataFault,
        text + ". It came so and was not taken; what is here is not harmed. "
          + "Have it written or sent once more.")
    case .unknownLog, .logExists, .damaged, .signing, .gap, .tooManyBranches:
      return Told("damage", .dataFault, text + ". 'daybook verify' tells more.")
    }
  }

  /// The error as a part of a sentence.
  package var text: String {
    switch self {
    case .disk(let error): error.told.text
    case .locked: "the book is busy"
    case .poisoned: "the disk did not keep what was written"
    case .unknownLog(let log): "log \(log.hex) is not there"
    case .logExists(let log): "log \(log.hex) is there already"
    case .damaged(let log): "the end of log \(log.hex) is damaged"
    case .newer(let log, let version):
      "a newer daybook has written to log \(log.hex): frames of version \(version)"
    case .changed(let log): "log \(log.hex) was written to meanwhile"
    case .unwritable(let log, let fault): "log \(log.hex) cannot take an event: \(fault.text)"
    case .commandTooLarge: "a command is too large"
    case .signing: "the device's key does not sign"
    case .refused(let log, let fault): "log \(log.hex): what came is no frame (\(fault.text))"
    case .gap(let log, let held, let received):
      "log \(log.hex): events \(held + 1) to \(received - min(received, 1)) are missing"
    case .tooManyBranches(let log): "log \(log.hex) has forked more often than logs may"
    case .replayed(let log): "events of log \(log.hex) that are here already came again and again"
    case .overQuota(let log):
      "the device that writes log \(log.hex) has reached its quota here, and the rest of it waits"
    case .unjoined(let log, let sequence):
      "log \(log.hex) does not go on from event \(sequence) as it should"
    case .wrongOpening(let log): "log \(log.hex) does not begin with its own device"
    case .wrongHead(let log, let sequence):
      "log \(log.hex) has a wrong signature at event \(sequence)"
    case .unproved(let log, let sequence):
      "log \(log.hex) has no signature for event \(sequence)"
    case .asideFull:
      "there is no room for more from devices that nobody has admitted; "
        + "once they are, the next sync brings it"
    }
  }
}

extension FrameError {
  package var text: String {
    switch self {
    case .gzip: "its gzip is damaged"
    case .envelope: "its gzip header is not a frame's"
    case .version(let version): "its version is \(version)"
    case .length: "its length is another"
    case .content(let fault): "its content is not as it should be: \(fault.text)"
    case .information: "its information is not as it should be"
    case .header(let sequence): "the header of event \(sequence) is wrong"
    case .body(let sequence): "the body of event \(sequence) is wrong"
    case .command(let sequence): "the command of event \(sequence) is not whole"
    case .secrets(let block): "the salts of block \(block) are wrong"
    case .trailing: "something follows its events"
    case .foreign: "it belongs to another device's log"
    case .misplaced: "it does not belong where it lies"
    }
  }
}

extension CBORError {
  package var text: String {
    switch self {
    case .truncated(let offset): "cut off at byte \(offset)"
    case .notShortest(let offset), .indefinite(let offset), .unsortedKeys(let offset),
      .duplicateKey(let offset):
      "another spelling than the one agreed at byte \(offset)"
    case .invalidText(let offset): "no text at byte \(offset)"
    case .tooDeep(let offset), .tooMany(let offset): "beyond a limit at byte \(offset)"
    case .wrongType(_, let offset), .wrongLength(_, let offset), .reserved(let offset),
      .outOfRange(let offset):
      "something else than expected at byte \(offset)"
    case .trailing(let offset): "more than expected at byte \(offset)"
    }
  }
}
