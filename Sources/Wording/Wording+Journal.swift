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
        "busy", .busy,
        "another program has just written to the book. Run the command again; "
          + "if that does not help, run 'daybook verify' to list the files that do not belong to the book."
      )
    case .unwritable(_, let fault):
      return Told(
        "unwritable", .refused,
        "the change cannot be stored, because \(fault.text). Nothing was written.")
    case .poisoned:
      return Told(
        "disk", .cannotWrite,
        "the disk failed to store an earlier write, so daybook has stopped writing. "
          + "Check the disk, and run daybook again.")
    case .commandTooLarge(let events, let bytes):
      return Told(
        "too-large", .refused,
        "the command is too large, with \(events) events and \(bytes) bytes. "
          + "Split it into several commands.")
    case .newer:
      return Told(
        "newer", .refused, text + ". Nothing was written. Update daybook on this device.")
    case .asideFull:
      return Told(
        "aside-full", .refused,
        "devices that are not admitted have sent too much data. Admit them, or delete the folder 'aside' in the book's folder."
      )
    case .overQuota:
      return Told(
        "over-quota", .refused, text + ". Use 'daybook device quota' to see or raise the quota.")
    case .replayed:
      return Told("replayed", .network, text + ". Everything received so far is kept.")
    case .refused, .unjoined, .wrongOpening, .wrongHead, .unproved:
      return Told(
        "damage", .dataFault,
        text + ". The received data was rejected; the book is unharmed. "
          + "Ask the sender for a new copy.")
    case .unknownLog, .logExists, .damaged, .signing, .gap, .tooManyBranches:
      return Told("damage", .dataFault, text + ". Run 'daybook verify' for details.")
    }
  }

  /// The error as part of a sentence.
  package var text: String {
    switch self {
    case .disk(let error): error.told.text
    case .locked: "the book is busy"
    case .poisoned: "the disk failed to store an earlier write"
    case .unknownLog(let log): "log \(log.hex) does not exist"
    case .logExists(let log): "log \(log.hex) already exists"
    case .damaged(let log): "the end of log \(log.hex) is damaged"
    case .newer(let log, let version):
      "a newer daybook has written frames of version \(version) to log \(log.hex)"
    case .changed(let log): "log \(log.hex) has just been written to"
    case .unwritable(let log, let fault):
      "an event cannot be stored in log \(log.hex), because \(fault.text)"
    case .commandTooLarge: "a command is too large"
    case .signing: "the key of this device cannot be used to sign"
    case .refused(let log, let fault):
      "the data received for log \(log.hex) cannot be used: \(fault.text)"
    case .gap(let log, let held, let received):
      received - min(received, held) == 2
        ? "in log \(log.hex), event \(held + 1) is missing"
        : "in log \(log.hex), events \(held + 1) to \(received - min(received, 1)) are missing"
    case .tooManyBranches(let log): "log \(log.hex) has too many forks"
    case .replayed(let log):
      "events of log \(log.hex) that this device already has were sent repeatedly"
    case .overQuota(let log):
      "the device that writes log \(log.hex) has reached its quota on this device, "
        + "so the rest of the log is not accepted yet"
    case .unjoined(let log, let sequence):
      "log \(log.hex) does not continue correctly after event \(sequence)"
    case .wrongOpening(let log): "the id of log \(log.hex) does not match its first event"
    case .wrongHead(let log, let sequence):
      "log \(log.hex) has an invalid signature at event \(sequence)"
    case .unproved(let log, let sequence):
      "log \(log.hex) has no signature for event \(sequence)"
    case .asideFull:
      "the space for logs of devices that are not admitted is full; "
        + "once they are admitted, the next sync fetches the rest"
    }
  }
}

extension FrameError {
  package var text: String {
    switch self {
    case .gzip: "its gzip data is damaged"
    case .envelope: "its gzip header is not the header of a frame"
    case .version(let version): "its version is \(version)"
    case .length: "its length is wrong"
    case .content(let fault): "its content is malformed: \(fault.text)"
    case .information: "its information is malformed"
    case .header(let sequence): "the header of event \(sequence) is wrong"
    case .body(let sequence): "the body of event \(sequence) is wrong"
    case .command(let sequence):
      "the command of event \(sequence) is incomplete, too large, or contains another command"
    case .secrets(let block): "the salts of block \(block) are wrong"
    case .trailing: "there is data after its events"
    case .foreign: "it belongs to another device's log"
    case .misplaced: "it is in the wrong place"
    }
  }
}

extension CBORError {
  package var text: String {
    switch self {
    case .truncated(let offset): "cut off at byte \(offset)"
    case .notShortest(let offset), .indefinite(let offset), .unsortedKeys(let offset),
      .duplicateKey(let offset):
      "non-canonical encoding at byte \(offset)"
    case .invalidText(let offset): "invalid text at byte \(offset)"
    case .tooDeep(let offset), .tooMany(let offset): "a limit is exceeded at byte \(offset)"
    case .wrongType(_, let offset), .wrongLength(_, let offset), .reserved(let offset),
      .outOfRange(let offset):
      "unexpected content at byte \(offset)"
    case .trailing(let offset): "extra data at byte \(offset)"
    }
  }
}
