import Bytes
import Daybook
import Interchange
import Phrasing
import Platform
import Proving
import Syncing

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
        "\(option) works with only one peer, as in 'daybook sync NAME \(option)'."
          + (names.isEmpty ? "" : " Peers: \(names.map(\.visible).joined(separator: ", "))."))
    case .foreignAddress(let endpoint):
      Told(
        "foreign-address", .refused,
        "this machine has no address \(endpoint.host.visible), so it cannot listen at that address. "
          + "Use 0.0.0.0:\(endpoint.port) to listen on all its addresses.")
    case .noStream:
      Told(
        "no-stream", .refused,
        "--stdio is not for direct use: 'daybook sync ssh://HOST' on another machine starts this command through ssh."
      )
    case .uninvited(let address):
      Told(
        "not-invited", .refused,
        """
        the book at \(address.text.visible) does not include this device. To join it with an invitation, run:
          \(address.invitingCommand.visible) | daybook join -
        """)
    case .otherBook(let book, let peer):
      Told(
        "wrong-book", .refused,
        "that is a different book (\(book.hex)).\n"
          + "To merge the two books, run 'daybook join \(peer.text.quoted.visible)'; nothing in either book is lost."
      )
    case .placeTaken(let address, let name, let wanted):
      Told(
        "place-taken", .refused,
        "\(address.text.visible) is already remembered as \(name.visible). "
          + "To rename it, run 'daybook peer rename \(name.quoted.visible) \(wanted.quoted.visible)'."
      )
    case .noTrial(let name, let address):
      Told(
        "no-trial", .refused,
        "a dry run works only with files and folders, but \(name.visible) is "
          + "\(address.machine == nil ? "a bucket" : "a machine"), which would keep the events that it receives. "
          + "'daybook sync \(name.quoted.visible) --explain' syncs, and shows what each side sent.")
    case .unknownBucket(let words, let names):
      Told(
        "no-such-peer", .refused,
        names.isEmpty
          ? "no peer is in \(words.visible). To add one there, run 'daybook peer add NAME \(words.quoted.visible)'."
          : "several peers are in \(words.visible). Name one of them: \(names.joined(separator: ", ").visible)."
      )
    case .noInvitationInInput(let limit):
      Told(
        "too-large", .refused,
        "standard input has more than \(limit) bytes, which is too long for an invitation.")
    case .unknownFormat(let file):
      Told(
        "unknown-format", .refused,
        "the format of \(file.visible) is unknown. Specify one of these with --format: "
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
        "\(path.string.visible) already exists. Nothing was written; --force replaces it.")
    case .bundleHoldsMore(let path, let count):
      Told(
        "bundle-holds-more", .refused,
        "\(path.string.visible) is a bundle of this book, and its writer had \(count.counted("event")) that this device lacks. "
          + "Nothing was written; 'daybook sync \(path.string.quoted.visible)' reads it, and --force replaces it."
      )
    case .notOurs(let path):
      Told(
        "not-ours", .refused,
        "\(path.string.visible) was not written by daybook. Nothing was changed; move it away first."
      )
    case .noHome:
      Told(
        "no-home", .refused,
        "cannot locate daybook's files, because HOME is not set to an absolute path. "
          + "Set HOME; to choose only the folder of the book, use -C DIR or set DAYBOOK_DIR.")
    case .noUserFolder(let what, let variable):
      Told(
        "no-home", .refused,
        "cannot locate \(what), because neither HOME nor \(variable.rawValue) is set to an absolute path. "
          + "Set one of them.")
    case .noPlainFile(let path, let isFolder):
      Told(
        "no-plain-file", .refused,
        path.string.visible + (isFolder ? " is a folder." : " is a device, a pipe or a link.")
          + " Nothing was written; choose a file.")
    case .unknownMachine(let address, let words):
      Told(
        "unknown-key", .refused,
        """
        the machine at \(address.visible) is unknown. The words of its key are \(words).
        If 'daybook devices' shows the same words on that machine, add --key \(words)
        """)
    case .otherMachine(let address, let words):
      Told(
        "other-key", .refused,
        """
        the machine at \(address.visible) presented the key \(words), which is not the key given with --key.
        It is a different machine, or someone is intercepting the connection. Nothing was sent.
        """)
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
          ? "\(name.visible) is this device. 'daybook peers' lists the peers that it syncs with."
          : "\(name.visible) is a device of the book, but this device does not know its address. "
            + "To add it, run 'daybook peer add \(name.quoted.visible) tcp://HOST:PORT'.")
    case .needsDevice(let option):
      Told(
        "usage", .usage,
        "--\(option) needs a device: daybook device quota NAME --\(option) N")
    case .noQuota(let name, let isThis):
      Told(
        "no-quota", .refused,
        isThis
          ? "\(name.visible) is this device, which has no quota."
          : "\(name.visible) is not a member of the book, so it has no quota.")
    case .noPeers:
      Told(
        "no-peers", .refused,
        "no peers yet. 'daybook invite' admits another device, and 'daybook peer add NAME DIR' adds a folder."
      )
    case .noStoreKey(let obstacle):
      Told("no-store-key", .refused, "this device has no store key\(obstacle.textOfNoKey)")
    case .noAddresses:
      Told(
        "no-address", .refused,
        "none of the peers has an address, because each of them starts the connection to this device. "
          + "To answer them, run 'daybook serve'.")
    case .noMachines:
      Told(
        "no-address", .refused,
        "only a machine can be followed, and no peer is a machine with an address. "
          + "To sync with folders, run 'daybook sync'. To add a machine, run "
          + "'daybook peer add NAME tcp://HOST:PORT'."
      )
    case .misspelt(let words, let kind, let meant):
      Told(
        "not-found", .refused,
        "\(kind.map { "no \($0)" } ?? "nothing") is called '\(words.visible)'."
          + guess(meant.visible))
    case .kindBeforeName(let word, let command):
      Told(
        "not-found", .refused,
        "nothing is called '\(word.visible)'. Leave out the kind of the record: \(command.visible)")
    case .wrongKind(let words, let expected, let found):
      Told(
        "wrong-kind", .refused,
        "'\(words.visible)' is a \(found), but this command needs a \(expected).")
    case .noSuchField(let option, let kind, let suggestion):
      Told("no-such-field", .refused, "a \(kind) has no --\(option).\(guess(suggestion))")
    case .doesNotRepeat(let record):
      Told(
        "refused", .refused,
        "\(record) does not repeat, so nothing was changed. Leave it out, or add a repeat rule to it first."
      )
    case .nothingToEdit(let words):
      Told(
        "usage", .usage,
        "nothing to edit. Specify a field, as in: "
          + "daybook edit \(words.quoted.visible) --note TEXT")
    case .nothingToSettle(let record, let field):
      Told(
        "no-conflict", .refused,
        (field.map { "'\($0.visible)' of " } ?? "")
          + "\(record.visible) has no conflict. 'daybook conflicts' lists all conflicts.")
    case .undecided(let problem, let choices):
      Told(
        "undecided", .refused,
        (["\(problem.visible) Choose one of:"] + choices.map { "  " + $0 }).joined(separator: "\n"))
    case .nobodysValue(let word, let suggestion, let choices):
      Told(
        "undecided", .refused,
        "'\(word.visible)' is neither a value in this conflict nor a device.\(guess(suggestion)) "
          + "Use --value \(word.quoted.visible) for a new value, or choose one of:"
          + choices.map { "\n  " + $0 }.joined())
    case .turnedAround(let old, let new):
      Told(
        "unknown-device", .refused,
        "no single device is called '\(new.visible)'. "
          + "Give the old name first: daybook device rename \(old.quoted.visible) \(new.quoted.visible)"
      )
    case .movedName(let name, let device, let origin):
      Told(
        "several-devices", .refused,
        "'\(name.visible)' might not be the device that you mean. \(device) has this name now. "
          + "\(origin.joined(separator: " ")) To name the device that you mean, use the words of its key."
      )
    case .formerName(let name, let holders):
      Told(
        "unknown-device", .refused,
        "no device is called '\(name.visible)' now. It was the name of \(holders.joined(separator: ", and of ")). "
          + "To name the device that you mean, use the words of its key.")
    case .contradiction(let first, let second):
      Told("usage", .usage, "\(first) and \(second) contradict each other. Use only one of them.")
    case .needsOption(let first, let second):
      Told("usage", .usage, "\(first) works only together with \(second).")
    case .noPick(let words, let question):
      Told(
        "no-pick", .refused,
        "'\(words.visible)' has no draw, because nothing has been drawn yet or the record of the draw is missing."
          + (question.map { " To draw a choice, run: daybook pick \($0.quoted.visible)" } ?? ""))
    case .untrueDraw(let words, let id):
      Told(
        "untrue-draw", .dataFault,
        "the draw of '\(words.visible)' does not match its recorded numbers, so it did not follow the rule. "
          + "To remove it from the counts, run 'daybook delete \(id)'."
      )
    case .faultsFound(let count, let canAccept):
      Told(
        "damage", .dataFault,
        "\(count.counted("fault")) found. Readable data is still shown; "
          + "'daybook verify --repair PEER' restores the rest from a peer that has it"
          + (canAccept ? ", and 'daybook verify --accept-loss' continues without it." : "."))
    case .proofRefused(let path, let fault):
      Told(
        "bad-proof", .refused,
        "\(path.string.visible) proves nothing, because \(fault.reason).")
    case .demoFailed(let step, let found):
      Told("demo", .refused, "the demonstration failed at: \(step)\n\(found)")
    case .editedSince(let sentences):
      Told(
        "edited-since", .refused,
        (["another device has made later edits, so nothing was done:"] + sentences)
          .joined(separator: "\n  ") + "\n--force continues anyway.")
    case .needsYes(let question): Told("needs-yes", .refused, "\(question) Add --yes to confirm.")
    }
  }
}
