import Bytes
import Crypto
import Journaling
package import Platform
package import Syncing

extension SyncError {
  package var told: Told {
    switch self {
    case .version(let theirs):
      Told(
        "version", .refused,
        "the other daybook speaks versions \(theirs.lowerBound) to \(theirs.upperBound) only. "
          + "Bring both up to date.")
    case .wrongBook(let book):
      Told(
        "wrong-book", .refused,
        "that is another book (\(book.hex)).\n"
          + "To make the two one, run 'daybook join' with it; neither loses anything.")
    case .joinedInto(let book):
      Told(
        "joined", .refused,
        "the other's book has become part of \(book.hex). Join that one.")
    case .noBook:
      Told(
        "no-book", .refused,
        "there is no book to join there. Sync a device that has one with it first, or see to the path."
      )
    case .severalBooks(let books):
      Told(
        "several-books", .refused,
        "\(books.count) books are there. Say which with --book and the beginning of its id: "
          + books.map(\.hex).joined(separator: ", "))
    case .message(let fault, let offset):
      Told(
        "bad-message", .dataFault,
        "what came is damaged at byte \(offset): \(fault.text). What came before it is kept.\n"
          + Self.bothNew)
    case .unexpected(let offset):
      Told(
        "bad-message", .dataFault,
        "what came is not as agreed at byte \(offset). What came before it is kept.\n"
          + Self.bothNew)
    case .notABundle(let path):
      Told(
        "not-a-bundle", .dataFault,
        "\(path.string.visible) is not a bundle, or cut off at its very beginning.\n"
          + "'daybook bundle FILE' writes one; 'daybook import' reads files of other programs.")
    case .noFolder(let path): .away(path)
    case .isABook(let path):
      Told(
        "is-a-book", .refused,
        "\(path.string.visible) is a book. Sync through another folder, which both can reach.")
    case .network(let error): error.told
    case .cut:
      Told("network", .network, "the line broke. What had arrived is kept; try again.")
    case .tooSlow: Told("network", .network, "the other is too slow. Try again.")
    case .unwelcome(let code):
      Told("unwelcome", .refused, "a caller was turned away: \(code.callerWords).")
    case .refused(let refusal): refusal.told
    case .otherReplica(let replica):
      Told(
        "other-replica", .dataFault,
        "the other says that it is \(replica.hex), and has shown another key. Nothing was taken from it."
      )
    case .tls(let fault): fault.told
    case .journal(let error): error.told
    case .disk(let error): error.told
    }
  }
}

extension SyncError {
  fileprivate static var bothNew: String {
    "Bring both to the same version of daybook, and try again."
  }
}

extension Refusal {
  /// The report of a refusal by the other side.
  fileprivate var told: Told {
    let code = Code(rawValue: self.code)
    if let advice = code?.advice { return Told("invitation", .refused, advice) }
    let refuses = "the other refuses: \(text.visible)."
    switch code {
    case .version:
      return Told("peer-refused", .refused, "\(refuses) Bring both up to date.")
    case .wrongBook:
      return Told(
        "peer-refused", .refused, "\(refuses)\nTo make the two one, run 'daybook join' with it.")
    default:
      return Told("peer-refused", .network, "\(refuses) What had arrived is kept; try again.")
    }
  }
}

extension Refusal.Code {
  /// Why the other side did not admit this device by an invitation, and what to do next; nil for other refusals.
  fileprivate var advice: String? {
    switch self {
    case .version, .wrongBook, .brokenMessage, .limit, .busy: nil
    case .notInvited:
      "the other does not know this device.\n"
        + "Say 'daybook invite' there, and here 'daybook join' with what it prints."
    case .wrongProof:
      "the other knows no such invitation: it comes from elsewhere, or is more than a day old.\n"
        + "Ask for a new one with 'daybook invite' there."
    case .usedInvitation:
      "that invitation was used already; each is good for one device.\n"
        + "Ask for a new one with 'daybook invite' there."
    case .expiredInvitation:
      "that invitation has expired; each is good for ten minutes.\n"
        + "Ask for a new one with 'daybook invite' there."
    case .cannotAdmit:
      "the device that invites is not admitted to its book, so it can admit nobody.\n"
        + "Ask for an invitation on one that is."
    case .revokedKey:
      "this device was taken out of that book, and its key is never taken back.\n"
        + "Say 'daybook device rekey' here, and ask for a new invitation."
    case .declined:
      "the user of the other machine did not let this device in, and the invitation has ended.\n"
        + "If that was a mistake, ask for a new one with 'daybook invite' there."
    case .unanswered:
      "nobody at the other machine answered whether this device may come in.\n"
        + "Try again when somebody is there; the invitation ends ten minutes after it was made."
    }
  }

  /// Why a caller was rejected, in words for the device that rejected it.
  package var callerWords: String {
    switch self {
    case .version, .wrongBook, .brokenMessage, .limit, .busy: "it is not to be talked with"
    case .notInvited: "it is not known, and shows no invitation"
    case .wrongProof: "it shows no invitation that is open"
    case .usedInvitation: "its invitation was used already"
    case .expiredInvitation: "its invitation has expired"
    case .cannotAdmit: "this device is not admitted itself, so it can admit nobody"
    case .revokedKey: "its key was revoked"
    case .declined: "it was not let in, and its invitation has ended"
    case .unanswered: "nobody answered whether it may come in; its invitation stays open"
    }
  }
}

extension MessageFault {
  fileprivate var text: String {
    switch self {
    case .limit: "it is larger than agreed"
    case .cbor(let fault): fault.text
    case .shape: "a message has another shape"
    case .kind(let kind): "message \(kind) is not known"
    case .order: "it is not sorted"
    }
  }
}

extension SyncProblem {
  /// The problem in one line, without a full stop.
  package var text: String {
    switch self {
    case .log(.gap(let log, held: let held, received: let received)):
      JournalError.gap(log, held: held, received: received).text
        + ", and what follows them was left. Take them from a whole bundle, one without --since, "
        + "or from whoever has them"
    case .log(let error): error.text
    case .truncated(let path, let offset):
      "\(path.string.visible) ends, or makes no more sense, at byte \(offset); "
        + "what comes before is good"
    case .wrongBundleDigest(let path):
      "\(path.string.visible) is not what was written, by its digest; only what proves itself counts"
    case .wrongDigest(let path):
      "\(path.string.visible) is not here whole yet, or damaged; the next sync looks again"
    case .unreadable(let path, let fault):
      "\(path.string.visible) cannot be read: \(fault.text); the next sync looks again"
    case .tooManyFiles(let path):
      "\(path.string.visible) has more files than daybook looks at, so nothing was taken from there; "
        + "use an empty folder instead"
    case .notLeft(let path, let fault):
      "nothing could be left in \(path.string.visible): \(fault.textOfCause); "
        + "what was there has been taken"
    case .notNoted(let path, let fault):
      "what came is stored, but the state of the peer could not be saved in "
        + "\(path.string.visible): \(fault.textOfCause)"
    case .tooLarge(let path): "\(path.string.visible) is larger than any such file may be"
    case .notAFrame(let path, let offset):
      "\(path.string.visible) makes no sense from byte \(offset)"
    case .damageDropped(let count):
      "\(count) damaged \(count == 1 ? "byte was" : "bytes were") removed from the logs with what was erased; "
        + "'daybook verify' says whether events are missing"
    }
  }

  /// The exit code of a run with this problem, unless another problem has a worse one.
  package var exit: ExitCode {
    switch self {
    // Not all of the data has arrived; a file that is still being copied may be complete at the next sync.
    case .wrongDigest, .unreadable: .network
    case .notLeft, .notNoted: .cannotWrite
    case .log, .truncated, .wrongBundleDigest, .tooManyFiles, .tooLarge, .notAFrame,
      .damageDropped:
      .dataFault
    }
  }
}

extension Told {
  /// The report if there is nothing at the path of a peer, which may be stored under a name.
  package static func away(_ path: Path, name: String? = nil, prefix: String = "") -> Told {
    let rest = name.map { "; 'daybook peer forget \($0.visible)' if it is gone for good." } ?? "."
    return Told(
      "peer-away", .network,
      "\(prefix)\(path.string.visible) is not there. Plug it in or mount it\(rest)")
  }
}
