import Interchange
import Phrasing
import Platform
import Syncing

extension String {
  /// The text, quoted as one word for a shell.
  var quoted: String {
    let isPlain = !isEmpty && allSatisfy { $0.isLetter || $0.isNumber || "-_.:/".contains($0) }
    return isPlain ? self : "'" + replacing("'", with: "'\\''") + "'"
  }
}

extension String {
  /// The text as a `tcp://` address, if it is a host and port.
  fileprivate var endpointLike: String? {
    guard !contains("/"), contains(":"), let endpoint = Endpoint(self) else { return nil }
    return "tcp://\(endpoint.text)"
  }
}

extension ConsoleError {
  var told: Told {
    switch self {
    case .usage(let fault): fault.told
    case .book(let error): error.told
    case .disk(let error): error.told
    case .words(let fault): fault.told
    case .needsPeer(let option, let names):
      Told(
        "needs-peer", .refused,
        "\(option) is about one peer. Say which: 'daybook sync NAME \(option)'."
          + (names.isEmpty ? "" : " There are \(names.map(\.visible).joined(separator: ", "))."))
    case .foreignAddress(let endpoint):
      Told(
        "foreign-address", .refused,
        "this machine has no address \(endpoint.host.visible), so it cannot listen there. "
          + "Say 0.0.0.0:\(endpoint.port) for all that it has.")
    case .placeTaken(let address, let name, let wanted):
      Told(
        "place-taken", .refused,
        "\(address.text.visible) is remembered as \(name.visible) already. "
          + "'daybook peer rename \(name.quoted.visible) \(wanted.quoted.visible)' calls it otherwise."
      )
    case .noTrial(let name):
      Told(
        "no-trial", .refused,
        "a dry run is for files and folders, and \(name.visible) is a machine: it would keep what is "
          + "sent. 'daybook sync \(name.visible) --explain' shows what went which way.")
    case .noInvitationInInput(let limit):
      Told(
        "too-large", .refused,
        "standard input has more than \(limit) bytes, and no invitation is that long.")
    case .unknownFormat(let file):
      Told(
        "unknown-format", .refused,
        "the format of \(file.visible) is not known. Say --format, one of "
          + FileFormat.allCases.map(\.rawValue).joined(separator: ", ") + ".")
    case .foreignFile(let name, let fault):
      Told(
        "bad-file", .refused,
        "\(name == "-" ? "standard input" : name.visible) cannot be imported: \(fault.text).")
    case .foreignRecord(let place, let fault):
      Told("bad-record", .refused, "\(place.words): \(fault.text). Nothing was imported.")
    case .fileExists(let path):
      Told(
        "file-exists", .refused,
        "\(path.string.visible) exists. Nothing was written; --force replaces it.")
    case .bundleHoldsMore(let path, let count):
      Told(
        "bundle-holds-more", .refused,
        "\(path.string.visible) is a bundle of this book by a device that had "
          + "\(count.counted("event")) more. Nothing was written; 'daybook sync \(path.string.visible)' "
          + "takes what is in it, and --force replaces it.")
    case .notOurs(let path):
      Told(
        "not-ours", .refused,
        "\(path.string.visible) is not from daybook. Nothing was changed; move it away first.")
    case .noHome:
      Told(
        "no-home", .refused,
        "where the book is, is not known: HOME is not set. Say -C DIR, or set DAYBOOK_DIR or HOME.")
    case .noPlainFile(let path, let isFolder):
      Told(
        "no-plain-file", .refused,
        path.string.visible + (isFolder ? " is a folder." : " is a device, a pipe or a link.")
          + " Nothing was written; say a file.")
    case .unknownMachine(let address, let words):
      Told(
        "unknown-key", .refused,
        """
        the machine at \(address.visible) is not known yet. The words of its key are \(words).
        If 'daybook devices' shows the same words there, say --key \(words)
        """)
    case .otherMachine(let address, let words):
      Told(
        "other-key", .refused,
        """
        the machine at \(address.visible) has another key than --key says: \(words).
        It is not the one you mean, or somebody is in between. Nothing was sent.
        """)
    case .badInvitation(let fault): fault.told
    case .closedInvitation:
      Told(
        "invitation", .refused,
        "that invitation is not open any more: it was used, or ten minutes are over.\n"
          + "Ask for a new one with 'daybook invite' there. If this device was revoked, "
          + "'daybook device rekey' comes first.")
    case .otherInviter(let address):
      Told(
        "other-machine", .refused,
        "the machine at \(address.visible) is not the one that invited: it shows another key.\n"
          + "See to the address, or ask for a new invitation with 'daybook invite' there.")
    case .peerAway(let name, let path):
      Told.away(path, name: name, prefix: "\(name.visible): ")
    case .nobody(let words):
      Told(
        "no-such-peer", .refused,
        "no peer, file or folder is called '\(words.visible)'."
          + (words.endpointLike.map { " Did you mean '\($0)'?" }
            ?? " 'daybook peers' lists the peers."))
    case .deviceNoPeer(let name, let isThis):
      Told(
        "no-such-peer", .refused,
        isThis
          ? "\(name.visible) is this device. 'daybook peers' lists those that it syncs with."
          : "\(name.visible) is a device of the book, and where it is reached is not known here. "
            + "'daybook peer add' tells its address.")
    case .needsDevice(let option):
      Told(
        "usage", .usage,
        "--\(option) is about one device; say which: daybook device quota NAME --\(option) N")
    case .noQuota(let name, let isThis):
      Told(
        "no-quota", .refused,
        isThis
          ? "\(name.visible) is this device, which may write as much as the disk takes."
          : "\(name.visible) takes no part in the book, so it has no quota.")
    case .noPeers:
      Told(
        "no-peers", .refused,
        "no peer is remembered yet. 'daybook invite' lets another device in, and 'daybook peer add' "
          + "remembers a folder.")
    case .noAddresses:
      Told(
        "no-address", .refused,
        "each peer that is remembered only calls here, so there is none to call. "
          + "'daybook serve' answers them.")
    case .noMachines:
      Told(
        "no-address", .refused,
        "only a machine can be followed, and none that is remembered has an address. 'daybook sync' "
          + "syncs with folders; 'daybook peer add NAME tcp://HOST:PORT' remembers a machine.")
    case .misspelt(let words, let kind, let meant):
      Told(
        "not-found", .refused,
        "\(kind.map { "no \($0)" } ?? "nothing") is called '\(words.visible)'."
          + guess(meant.visible))
    case .wrongKind(let words, let expected, let found):
      Told(
        "wrong-kind", .refused,
        "'\(words.visible)' is a \(found), and this is for a \(expected).")
    case .noSuchField(let option, let kind, let suggestion):
      Told("no-such-field", .refused, "a \(kind) has no --\(option).\(guess(suggestion))")
    case .nothingToEdit:
      Told("usage", .usage, "nothing to edit. Say which field, as in: daybook edit ID --note TEXT")
    case .nothingToSettle(let record, let field):
      Told(
        "no-conflict", .refused,
        (field.map { "no '\($0.visible)' of " } ?? "nothing of ")
          + "\(record.visible) is in conflict. 'daybook conflicts' lists what is.")
    case .undecided(let problem, let choices):
      Told(
        "undecided", .refused,
        (["\(problem.visible) Say one of:"] + choices.map { "  " + $0 }).joined(separator: "\n"))
    case .nobodysValue(let word, let suggestion):
      Told(
        "undecided", .refused,
        "'\(word.visible)' is nobody's value and no device.\(guess(suggestion)) "
          + "Say mine, theirs, a device, or --value \(word.quoted.visible).")
    case .turnedAround(let old, let new):
      Told(
        "unknown-device", .refused,
        "no one device is called '\(new.visible)'. The old name comes first: "
          + "daybook device rename \(old.quoted.visible) \(new.quoted.visible)")
    case .contradiction(let first, let second):
      Told("usage", .usage, "\(first) and \(second) exclude each other. Say one of them.")
    case .noPick(let words):
      Told(
        "no-pick", .refused,
        "'\(words.visible)' tells of no draw: there is none yet, or its record is gone. "
          + "Draw one: daybook pick QUESTION")
    case .untrueDraw(let words):
      Told(
        "untrue-draw", .dataFault,
        "the draw of '\(words.visible)' is not what its numbers come to. "
          + "Whoever wrote it did not draw by the rule; 'daybook delete' takes it out of the counts."
      )
    case .faultsFound(let count, let canAccept):
      Told(
        "damage", .dataFault,
        "\(count.counted("fault")) found. What can be read is still shown; "
          + "'daybook verify --repair PEER' takes the rest from a peer that holds it"
          + (canAccept ? ", and 'daybook verify --accept-loss' goes on without it." : "."))
    case .demoFailed(let step, let found):
      Told("demo", .refused, "the demonstration failed at: \(step)\n\(found)")
    case .editedSince(let sentences):
      Told(
        "edited-since", .refused,
        (["another device has edited that since, so nothing was done:"] + sentences)
          .joined(separator: "\n  ") + "\n--force goes on all the same.")
    case .needsYes(let question): Told("needs-yes", .refused, "\(question) Say --yes to do so.")
    }
  }
}
