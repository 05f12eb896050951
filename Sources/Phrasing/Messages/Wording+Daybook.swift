import Bytes
package import Daybook
import Domain
import Journaling
import Platform
package import ReadModel
import SQLite
import Syncing

extension DaybookError {
  package var told: Told {
    switch self {
    case .noBook(let folder):
      Told(
        "no-book", .refused,
        "there is no book in \(folder.string.visible).\n"
          + "The first 'daybook add …' makes one; 'daybook join' takes part in one of yours.")
    case .notABook(let folder, let fault):
      Told(
        "not-a-book", fault == nil ? .refused : .dataFault,
        "\(folder.string.visible) is not a book: \(fault?.text ?? "there is something else").\n"
          + "If its book.json was lost or damaged, put it back from a backup. Without one, move the folder away and "
          + "join the book again from another device with 'daybook join'. What was written here and not synced is "
          + "then only in the folder that you moved. To keep it, copy the new book.json into that folder, then "
          + "'daybook -C MOVED export -o kept.jsonl' and, in the new book, 'daybook import kept.jsonl'."
      )
    case .bookExists(let folder):
      Told("book-exists", .refused, "there is a book in \(folder.string.visible) already.")
    case .disk(let error): error.told
    case .journal(let error): error.told
    case .view(let error): error.told
    case .keys(let path, _):
      Told("key", .dataFault, "the key in \(path.string.visible) cannot be read or used.")
    case .noKey(let path):
      Told(
        "key", .dataFault,
        "the key \(path.string.visible) is missing, so nothing can be signed. "
          + "Put it back from a backup. If there is none, 'daybook doctor' says how to go on without it."
      )
    case .otherKey(let path):
      Told(
        "key", .dataFault,
        "\(path.string.visible) is not the key of the log that this device writes, so nothing is signed with it.\n"
          + "Put the right one back; 'daybook doctor' looks whether it is.")
    case .unknown(let words, let kind): .unknown(words, kind)
    case .erased(let words):
      Told("erased", .refused, "'\(words.visible)' was erased, for good.")
    case .ambiguous(let words, let found): .ambiguous(words, found)
    case .gone(let found):
      Told(
        "deleted", .refused,
        "\(found.words) is deleted. 'daybook restore \(found.shortID)' brings it back.")
    case .hidden(let found, let parent):
      Told(
        "deleted", .refused,
        "\(found.words) is \(parent.kind == .list ? "on" : "of") the deleted \(parent.words). "
          + "'daybook restore \(parent.shortID)' brings both back.")
    case .notGone(let found):
      Told("not-deleted", .refused, "\(found.words) is not deleted.")
    case .refused(let refusal): Told("refused", .refused, refusal.text)
    case .busy(let holder):
      Told(
        "busy", .busy,
        "the book is busy" + (holder.map { ": process \($0.visible) is writing" } ?? "")
          + ". Try again in a moment.")
    case .nothingToUndo: Told("nothing-to-undo", .refused, "there is nothing to undo.")
    case .nothingInThisLog:
      Told(
        "nothing-to-undo", .refused,
        "this device has begun its log anew, and nothing in that one is left to undo or redo. "
          + "'daybook devices' shows its logs, and 'daybook undo --by NAME --since TIME' takes back "
          + "what is in them.")
    case .nothingToRedo:
      Told(
        "nothing-to-redo", .refused,
        "there is nothing to redo. What 'undo --command' or 'undo --by' has done is taken back by "
          + "'daybook undo'.")
    case .erasureInTheWay:
      Told(
        "erasure", .refused,
        "an erasure comes next, and that cannot be undone. Nothing was done.\n"
          + "'daybook undo --past-erasure' goes on with the command before it.")
    case .lastingInTheWay(let change):
      Told(
        "device-change", .refused,
        "what was done last is that \(change.words); nothing was undone.\n"
          + "'daybook undo --past-devices' goes on with the command before it.")
    case .editedSince(let edits):
      Told(
        "edited-since", .refused,
        "another device has edited since what that would undo, in "
          + (edits.count == 1 ? "1 field" : "\(edits.count) fields") + ". Nothing was done.")
    case .dependedOn(let dependences):
      Told(
        "depended-on", .refused,
        "\(dependences.map(\.words).joined(separator: "; ")). Nothing was undone; "
          + "--force deletes it all the same.")
    case .fewerCommands(let count):
      Told(
        "fewer-commands", .refused,
        "there \(count == 1 ? "is only 1 command" : "are only \(count) commands") to take. "
          + "Nothing was done.")
    case .noSuchCommand(let name):
      Told(
        "no-such-command", .refused,
        "no command is called '\(name.visible)'. 'daybook log --json' has the device and the sequence "
          + "of each event: say DEVICE:SEQUENCE.")
    case .undoneAlready(let name):
      Told(
        "undone-already", .refused,
        "the command '\(name.visible)' is undone already. "
          + "'daybook redo' does again what was undone last.")
    case .nothingSince(let device):
      Told("nothing-to-undo", .refused, "\(device.visible) has written nothing since then.")
    case .nothingLeftSince(let device):
      Told(
        "nothing-to-undo", .refused,
        "nothing that \(device.visible) has written since then is left to undo.")
    case .severalLogs(let devices):
      Told(
        "several-logs", .refused,
        "that device has \(devices.count) logs. Say which in place of its name: "
          + devices.map(\.logWords).joined(separator: ", ") + ".")
    case .importFault(let line, let fault):
      Told("bad-line", .refused, "line \(line): \(fault.text). Nothing was imported.")
    case .notAdmitted:
      Told(
        "not-admitted", .refused,
        "this device is not admitted, or was revoked, so it cannot admit, revoke or rename a device.\n"
          + "Do it on one that is; 'daybook devices' lists them.")
    case .ownKey:
      Told(
        "own-key", .refused,
        "this is the device's own key. Say so on another device; or, if somebody else has the key, "
          + "begin with 'daybook device rekey' here.")
    case .tooManyLogs:
      Told(
        "too-many-logs", .refused,
        "this record is in a log beyond the \(Journaling.Limit.tableEntries) that a device can name.\n"
          + "'daybook devices' lists the device that has made so many, 'daybook device revoke' ends it."
      )
    case .namedBeforeAdmission(let name):
      Told(
        "not-yet-admitted", .refused,
        "\(name.visible) waits to be admitted, and to name it would admit it. Nothing was done.\n"
          + "If you know it: 'daybook device admit' first, with the words of its key.")
    case .revokedKey(let name):
      Told(
        "revoked", .refused,
        "\(name.visible) is revoked, and a key is never taken back.\n"
          + "To take part again, that device says 'daybook device rekey' and is admitted anew.")
    case .admittedThrough(let name):
      Told(
        "admitted-through", .refused,
        "this device takes part because \(name.visible) let it in, and would be out with all that it wrote. "
          + "Without --all, what it wrote up to now stays.")
    case .badDeviceName(let name):
      Told(
        "bad-name", .refused,
        "no device can be called '\(name.visible)': "
          + "a name is one line of at most \(Device.nameBytes) bytes that shows something, "
          + "and does not end like that of a command ('phone:3').")
    case .deviceNameTaken(let name):
      Told(
        "name-taken", .refused,
        "another device is called '\(name.visible)', and names tell devices apart.")
    case .sync(let error): error.told
    case .network(let error): error.told
    case .ownInvitation:
      Told(
        "own-invitation", .refused,
        "that invitation is this device's own. Say it on the device that is to take part.")
    case .declined: Told("declined", .refused, "nothing was done.")
    case .unknownPeer(let name):
      Told(
        "unknown-device", .refused,
        "no one device is called '\(name.visible)'. 'daybook devices' lists them.")
    case .severalDevices(let name, let listed):
      Told(
        "several-devices", .refused,
        "several devices are called '\(name.visible)': "
          + "\(listed.map(\.visible).joined(separator: ", ")). Say which of them.")
    case .contacts(let path, let fault):
      Told(
        "contacts", .dataFault,
        "the peers that are remembered cannot be read: \(fault.text).\nMend "
          + "\(path.string.visible), or move it away and remember them anew. The book is unharmed.")
    case .noSuchPeer(let name):
      Told(
        "no-such-peer", .refused,
        "no peer is called '\(name.visible)'. 'daybook peers' lists them.")
    case .badPeerName(let name):
      Told(
        "bad-name", .refused,
        "no peer can be called '\(name.visible)': a name is one line of at most "
          + "\(Device.nameBytes) bytes without slashes.")
    case .peerNameTaken(let name):
      Told("name-taken", .refused, "another peer is called '\(name.visible)'.")
    case .tooManyPeers:
      Told("too-many", .refused, "too many peers are remembered. 'daybook peer forget' makes room.")
    case .changedKey(let name, let known, let shown):
      Told(
        "changed-key", .refused,
        """
        what answers as \(name.visible) shows another key than before, so nothing was sent.
        The words of its key are \(shown); those of \(name.visible) were \(known).
        Somebody else may be answering there. Only if 'daybook devices' on \(name.visible) itself shows the new \
        words: daybook peer trust "\(name.visible)" \(shown)
        """)
    case .keyless(let name):
      Told(
        "keyless", .refused,
        "\(name.visible) is a folder or a file, and only a machine has a key to trust.")
    case .noAddress(let name):
      Told(
        "no-address", .refused,
        "where \(name.visible) is reached is not known: it only calls here.\n"
          + "'daybook peer add' tells its address.")
    case .emptiedPeer(let name, let folder, let time):
      Told(
        "emptied-peer", .refused,
        "\(folder.string.visible) is empty, but this book was synced there on "
          + "\(Instant.dayText(time)). Is the disk mounted that it lies on?\n"
          + "If it was emptied on purpose: 'daybook peer forget \(name.visible)', then "
          + "'daybook peer add \(name.visible) \(folder.string.visible)'.")
    case .notServed:
      Told(
        "not-served", .refused,
        "nobody could come in, since this book is not served. Say 'daybook serve' in another window,\n"
          + "then 'daybook invite' again; or where it will be served, with --address HOST:PORT.")
    case .severalBooks(let books, let wanted): .severalBooks(books, wanted)
    case .beginningNotThere(let problems):
      Told(
        "no-beginning", .dataFault,
        (problems.map(\.text) + [
          "the event that began the book cannot be had there, and without it a book cannot be joined. "
            + "Take a whole bundle, one without --since, or join at another device or folder"
        ]).joined(separator: ".\n") + ".")
    case .erasureLeft(let error): .erasureLeft(by: error)
    case .storedBefore(let part, let error): error.told.having(done: part.words)
    }
  }
}

extension StoredPart {
  /// The sentence after the error that says what is kept.
  fileprivate var words: String {
    switch self {
    case .own:
      "\nWhat this device wrote before that is kept and counts: see 'daybook log'."
    case .arrivals:
      "\nWhat came before that is kept: see 'daybook log' and 'daybook conflicts'."
    case .joining: "\nThe book is joined all the same: see 'daybook status'."
    }
  }
}

extension Told {
  fileprivate static func erasureLeft(by error: DaybookError) -> Told {
    let rest =
      "\nIt is erased and no longer shown, but its bytes are still in files here. The next command that "
      + "writes, compacts or syncs removes them; until then nothing is sent from here."
    return error.told.having(done: rest, code: "erasure-left")
  }

  fileprivate static func unknown(_ words: String, _ kind: Kind?) -> Told {
    let what = kind.map { "no \($0.noun) is" } ?? "nothing is"
    return Told(
      "not-found", .refused,
      "\(what) called '\(words.visible)'. 'daybook search TEXT' looks everywhere.")
  }

  fileprivate static func severalBooks(_ books: [DirectoryBook], _ wanted: String?) -> Told {
    let start =
      wanted.map { "the id of no one book there begins with '\($0.visible)'." }
      ?? "\(books.count) books are there."
    let lines = books.map { book in
      let founder = book.founder.map { "founded on \($0.visible)" } ?? "founder unknown"
      let last = book.lastWritten.map { ", the last of \(Instant.text($0))" } ?? ""
      return "  \(book.id.hex)  \(founder), \(book.events) events\(last)"
    }
    return Told(
      "several-books", .refused,
      ([start + " Say which with --book and the beginning of its id:"] + lines)
        .joined(separator: "\n"))
  }

  fileprivate static func ambiguous(_ words: String, _ found: [Found]) -> Told {
    let shown = found.prefix(5).map { candidate in
      // The typed words alone name no record, so an id equal to them is shown with more letters.
      let id =
        candidate.shortID == words.lowercased()
        ? ShortID.text(of: candidate.id, length: candidate.shortID.count + 2) : candidate.shortID
      return "\(id) \(candidate.title.shortened.visible)"
    }
    let rest = found.count > shown.count ? ", and \(found.count - shown.count) more" : ""
    return Told(
      "ambiguous", .refused,
      "'\(words.visible)' could be any of \(found.count). Say which by its id:\n"
        + shown.joined(separator: ", ") + rest)
  }
}

extension Found {
  fileprivate var words: String { "\(kind.name) '\(title.shortened.visible)'" }
}

extension String {
  /// The beginning of a title that is too long for a sentence.
  fileprivate var shortened: String {
    let most = 40
    return count > most ? prefix(most) + "…" : self
  }
}

extension BookFileError {
  fileprivate var text: String {
    switch self {
    case .notJSON: "its book.json is not JSON"
    case .missing(let name): "its book.json says nothing good for '\(name)'"
    case .otherFormat(let format):
      "its format is \(format), and this daybook knows format \(BookFile.format)"
    }
  }
}

extension ReadModelError {
  package var told: Told {
    switch self {
    case .unusable, .needsRefold, .stale:
      return Told("view", .dataFault, "view.sqlite is of no use. 'daybook rebuild' makes it anew.")
    case .disk(let error): return error.told
    case .database(let error):
      let exit: ExitCode =
        switch error.primary {
        case .busy, .locked: .busy
        case .full, .ioError, .readOnly, .cannotOpen, .permission: .cannotWrite
        default: .dataFault
        }
      return Told("view", exit, "view.sqlite: \(error.message.visible).")
    }
  }
}

extension LastingChange {
  /// What the command did, and how to take it back, if that is possible.
  package var words: String {
    switch self {
    case .named(let name):
      "a device was called \(name.visible), which only 'daybook device rename' takes back"
    case .admitted(let name):
      "\(name.visible) was admitted, which only 'daybook device revoke' ends, for good"
    case .revoked(let name): "\(name.visible) was revoked, which is for good"
    }
  }
}
