import Bytes
import Crypto
import Journaling
package import Platform
import Sealing
package import Syncing

extension SyncError {
  package var told: Told {
    switch self {
    case .version(let theirs):
      Told(
        "version", .refused,
        "the daybook on the other machine supports only \(Self.words(for: theirs)) of the protocol. "
          + "Update daybook on both machines.")
    case .wrongBook(let book):
      Told(
        "wrong-book", .refused,
        "that is a different book (\(book.hex)).\n"
          + "To merge the two books, run 'daybook join PEER', where PEER is the address, file or folder of the other book; "
          + "nothing in either book is lost."
      )
    case .joinedInto(let book):
      Told(
        "joined", .refused,
        "the book of this device was merged into the other book (\(book.hex)). To join that book, run 'daybook join PEER'."
      )
    case .noBook:
      Told(
        "no-book", .refused,
        "no book was found to join. Check the path, or first sync to it from a device that has the book."
      )
    case .message(let fault, let offset):
      Told(
        "bad-message", .dataFault,
        "the data received is damaged at byte \(offset): \(fault.text). Everything before that byte is kept.\n"
          + Self.bothNew)
    case .unexpected(let offset):
      Told(
        "bad-message", .dataFault,
        "the data received violates the protocol at byte \(offset). Everything before that byte is kept.\n"
          + Self.bothNew)
    case .notABundle(let path):
      Told(
        "not-a-bundle", .dataFault,
        "\(path.string.visible) is not a bundle, or is truncated near its beginning.\n"
          + "'daybook bundle FILE' writes a bundle; 'daybook import FILE' reads files from other programs."
      )
    case .damagedBundle(let path):
      Told(
        "damaged-bundle", .dataFault,
        "\(path.string.visible) is damaged: it does not match its digest, and its beginning does not fit this book. "
          + "Nothing was read from it.\n"
          + "Copy the file again, or write a new one with 'daybook bundle FILE'.")
    case .noFolder(let path): .away(path)
    case .isABook(let path):
      Told(
        "is-a-book", .refused,
        "\(path.string.visible) is a book, because it contains the file \((path / "book.json").string.visible) "
          + "and the folder logs. Sync through another folder that both devices can reach.")
    case .ownAddress(let address):
      Told(
        "own-address", .refused,
        "\(address.visible) is this device itself, which serves its book there, "
          + "so no second copy would be kept. Use the address of another machine.")
    case .insideABook(let path, let book):
      Told(
        "inside-a-book", .refused,
        "\(path.string.visible) is inside \(book.string.visible), which is the folder of a book, "
          + "and other files do not belong there. Use a place outside that folder.")
    case .isSealed(let path):
      Told(
        "sealed-store", .refused,
        "\(path.string.visible) contains a sealed store that this device cannot open. "
          + "Syncing into this folder without the store would put an unencrypted copy of the book there, "
          + "so nothing was written.\n"
          + Told.adviceOnUnopenedStore)
    case .joinSealed(let path):
      Told(
        "join-sealed", .refused,
        "\(path.string.visible) contains only sealed stores, whose keys only admitted devices receive, "
          + "so it takes an invitation to join a book through them.\n"
          + "Run 'daybook invite --via NAME' on a device that syncs with this store, where NAME is its name for the store, "
          + "and then 'daybook join' on this device with the invitation."
      )
    case .tooManyFiles(let path):
      Told(
        "too-many-files", .refused,
        "\(path.string.visible) contains more files than daybook reads, so a book in it may have been missed. "
          + "Nothing was read or written. Use an empty folder instead.")
    case .network(let error): error.told
    case .cut:
      Told(
        "network", .network, "the connection broke. Everything received so far is kept; try again.")
    case .tooSlow: Told("network", .network, "the other device is too slow. Try again.")
    case .unwelcome(let code):
      Told("unwelcome", .refused, "a caller was rejected, because \(code.callerWords).")
    case .refused(let refusal): refusal.told
    case .otherReplica(let replica):
      Told(
        "other-replica", .dataFault,
        "the other device claimed to be \(replica.hex), but presented a different key. Nothing was accepted from it."
      )
    case .tls(let fault): fault.told
    case .ssh(let fault, let address): fault.told(at: address)
    case .storage(let fault, let location): fault.told(at: location)
    case .journal(let error): error.told
    case .disk(let error): error.told
    }
  }
}

extension SyncError {
  fileprivate static var bothNew: String {
    "Install the same version of daybook on both machines, and try again."
  }

  private static func words(for versions: ClosedRange<UInt64>) -> String {
    let (first, last) = (versions.lowerBound, versions.upperBound)
    return first == last ? "version \(first)" : "versions \(first) to \(last)"
  }
}

extension SSHFault {
  /// The report of a fault in `ssh`, which writes its own messages to standard error.
  fileprivate func told(at address: String) -> Told {
    let login = SSHAddress(address)?.login ?? "ssh HOST"
    let place = address.visible
    switch self {
    case .login:
      return Told(
        "ssh", .network,
        "ssh could not connect to \(place); its message above gives the reason.\n"
          + "Once '\(login) true' succeeds, try again.")
    case .noDaybook:
      return Told(
        "ssh-no-daybook", .refused,
        "the shell at \(place) cannot find the program 'daybook'. Install daybook on that machine, "
          + "in a folder on the PATH, so that\n"
          + "'\(login) daybook --version' prints a version.")
    case .outdated:
      return Told(
        "ssh-old-daybook", .refused,
        "the version of daybook at \(place) does not support 'daybook serve --stdio'. Update daybook on that machine."
      )
    case .noise:
      return Told(
        "ssh-noise", .refused,
        "something other than daybook answered at \(place). If the shell there prints a greeting, remove the greeting;\n"
          + "'\(login) true' must print nothing.")
    case .ended(let code):
      return Told(
        "ssh-ended", .network,
        "daybook at \(place) ended early, \(code.map { "with code \($0)" } ?? "because of a signal"). "
          + "Its messages, if any, are printed above.")
    }
  }
}

extension Refusal {
  /// The report of a refusal by the other side.
  fileprivate var told: Told {
    let code = Code(rawValue: self.code)
    if let advice = code?.advice { return Told("invitation", .refused, advice) }
    let refuses = "the other device refused: \(text.visible)."
    switch code {
    case .version:
      return Told("peer-refused", .refused, "\(refuses) Update daybook on both machines.")
    case .wrongBook:
      return Told(
        "peer-refused", .refused,
        "\(refuses)\nTo merge the two books, run 'daybook join PEER' with the address of that device."
      )
    default:
      return Told(
        "peer-refused", .network, "\(refuses) Everything received so far is kept; try again.")
    }
  }
}

extension Refusal.Code {
  /// The reason why the other side did not admit this device through an invitation, and what to do next; nil for other
  /// refusals.
  fileprivate var advice: String? {
    switch self {
    case .version, .wrongBook, .brokenMessage, .limit, .busy: nil
    case .notInvited:
      "the other device does not recognize this device.\n"
        + "Run 'daybook invite' on the other device, then 'daybook join' on this one with the invitation."
    case .wrongProof:
      "the other device does not recognize that invitation, because a different device issued it or because it is more than a day old.\n"
        + Self.newInvitation
    case .usedInvitation:
      "that invitation has already been used; each invitation admits one device.\n"
        + Self.newInvitation
    case .expiredInvitation:
      "that invitation has expired; each invitation is valid for ten minutes.\n"
        + Self.newInvitation
    case .cannotAdmit:
      "the inviting device is not admitted to its book, so it cannot admit others.\n"
        + "Ask for an invitation from an admitted device."
    case .revokedKey:
      "this device was revoked in that book, and a revoked key cannot be admitted again.\n"
        + "Run 'daybook device rekey' on this device, and ask for a new invitation."
    case .declined:
      "the user of the other machine declined to admit this device, and the invitation is no longer valid.\n"
        + "If that was a mistake, ask that user to run 'daybook invite' again."
    case .unanswered:
      "nobody at the other machine answered the request to admit this device.\n"
        + "Try again when somebody can answer. The invitation expires ten minutes after it was issued."
    }
  }

  private static let newInvitation = "Run 'daybook invite' on the other device to get a new one."

  /// The reason why a caller was rejected, worded for the device that rejected it.
  package var callerWords: String {
    switch self {
    case .version, .wrongBook, .brokenMessage, .limit, .busy: "it cannot be served"
    case .notInvited: "it is unknown and presented no invitation"
    case .wrongProof: "it did not present a valid invitation"
    case .usedInvitation: "its invitation has already been used"
    case .expiredInvitation: "its invitation has expired"
    case .cannotAdmit: "this device is not admitted itself, so it cannot admit others"
    case .revokedKey: "its key was revoked"
    case .declined: "it was declined, and its invitation is no longer valid"
    case .unanswered: "nobody answered the request to admit it; its invitation is still valid"
    }
  }
}

extension MessageFault {
  fileprivate var text: String {
    switch self {
    case .limit: "a size exceeds the limit"
    case .cbor(let fault): fault.text
    case .shape: "a message is malformed"
    case .kind(let kind): "messages of kind \(kind) are unknown"
    case .order: "its entries are not sorted"
    }
  }
}

extension SyncProblem {
  /// The problem in one line, without a full stop.
  package var text: String {
    switch self {
    case .log(.gap(let log, held: let held, received: let received)):
      JournalError.gap(log, held: held, received: received).text
        + ", and the later events of that log were skipped. "
        + "Get the missing events from a whole bundle, made without --since, or from a device that has them"
    case .log(let error): error.text
    case .truncated(let path, let offset):
      "\(path.string.visible) is cut off or damaged at byte \(offset); everything before that is valid"
    case .wrongBundleDigest(let path):
      "\(path.string.visible) does not match its digest, so only its events with a valid signature count"
    case .wrongDigest(let path):
      "\(path.string.visible) is incomplete or damaged; the next sync will try again"
    case .unreadable(let path, let fault):
      "\(path.string.visible) cannot be read: \(fault.text); the next sync will try again"
    case .tooManyFiles(let path):
      "\(path.string.visible) contains more files than daybook reads, so nothing was read from it; "
        + "use an empty folder instead"
    case .notLeft(let path, let fault):
      "cannot write into \(path.string.visible): \(fault.textOfCause); its contents were received"
    case .notStored(let path, let fault):
      "cannot write into \(path.string.visible): \(fault.text); its contents were received"
    case .notNoted(let path, let fault):
      "the received events are stored, but the state of the peer could not be saved in \(path.string.visible): "
        + "\(fault.textOfCause)"
    case .tooLarge(let path): "\(path.string.visible) exceeds the size limit for files of its kind"
    case .notAFrame(let path, let offset):
      "\(path.string.visible) cannot be read from byte \(offset) onward"
    case .damageDropped(let count):
      "\(count) damaged \(count == 1 ? "byte was" : "bytes were") removed from the logs along with erased content; "
        + "'daybook verify' reports whether events are missing"
    case .waiting(let path, let count):
      "\(count == 1 ? "1 object" : "\(count) objects") in \(path.string.visible) cannot be opened yet, "
        + "because this device does not have the key. Unless this device was revoked, it gets the key "
        + "once an admitted device that has the key syncs with this folder"
    case .rejected(let path, let count):
      "\(count == 1 ? "1 object" : "\(count) objects") in \(path.string.visible) \(count == 1 ? "is" : "are") ignored, because "
        + "\(count == 1 ? "it was" : "they were") sealed by a device that was revoked, or that a revoked device let in"
    case .newer(let path):
      "a newer daybook wrote \(path.string.visible), so its contents were not received. "
        + "Install a newer daybook on this device, and sync again"
    case .readable(let path):
      "the folder of this sealed store also contains readable files of the book. "
        + "Once all devices use the store, remove \(path.string.visible)"
    case .notOpened(let path, _):
      "\(path.string.visible) cannot be opened, because it was changed or was moved here from another store"
    case .badName(let path, _):
      "the name of \(path.string.visible) was changed, or was chosen by someone who had a key of this book"
    case .badPackage(let path, let fault) where fault.isOfRoom:
      "the key in \(path.string.visible) was not added, because \(fault.textWithAdvice)"
    case .badPackage(let path, let fault):
      "\(path.string.visible) is not a valid key package: \(fault.textWithAdvice)"
    case .badKnock(let path, _):
      "\(path.string.visible) was changed, so the device that asks to join was not admitted; "
        + "once that device has synced again, the next sync will try again"
    case .notSealed(let path, let fault):
      "nothing was written into \(path.string.visible), because \(fault.textWithAdvice)"
    }
  }

  /// The exit code of a run with this problem, unless another problem has a worse code.
  package var exit: ExitCode {
    switch self {
    case .readable, .rejected: .done
    // Not all of the data has arrived. A file that is still being copied may be complete at the next sync.
    case .wrongDigest, .unreadable, .waiting, .newer, .badKnock: .network
    case .notLeft, .notNoted, .notStored: .cannotWrite
    case .badPackage(_, let fault) where fault.isOfRoom: .refused
    // The events are intact, but exceed a quota on this device.
    case .log(.overQuota): .refused
    case .log, .truncated, .wrongBundleDigest, .tooManyFiles, .tooLarge, .notAFrame,
      .damageDropped, .notOpened, .badName, .badPackage:
      .dataFault
    case .notSealed(_, .notTrusted), .notSealed(_, .tooManyRevoked): .refused
    case .notSealed: .dataFault
    }
  }
}

extension StoreKeyError {
  /// Whether this device has no room for a valid key.
  fileprivate var isOfRoom: Bool {
    switch self {
    case .ringLimit, .makerLimit: true
    default: false
    }
  }
}

extension Told {
  /// The possible solutions if a folder contains sealed stores, none of which this device can open.
  package static var adviceOnUnopenedStore: String {
    "If this book has a store there, first sync by another route with a device that uses that store. "
      + "Once that device has received the admission of this one and has synced with the folder, try again.\n"
      + "Otherwise, use another folder, or start a separate store for this book in the same folder: "
      + "'daybook peer add NAME DIR --sealed --new'."
  }

  /// The report if there is nothing at a peer's path, for a peer that may be stored under a name.
  package static func away(_ path: Path, name: String? = nil, prefix: String = "") -> Told {
    let rest =
      name.map { ", or run 'daybook peer forget \($0.quoted.visible)' if it is gone for good." }
      ?? "."
    return Told(
      "peer-away", .network,
      "\(prefix)\(path.string.visible) is not available. Plug it in or mount it\(rest)")
  }
}
