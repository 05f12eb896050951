import Bytes
import Domain
import Journaling
import Platform
import Sealing
import Syncing
package import Wording

extension DaybookError {
  package var told: Told {
    switch self {
    case .noBook(let folder):
      Told(
        "no-book", .refused,
        "there is no book in \(folder.string.visible).\n"
          + "Your first 'daybook add …' creates one; 'daybook join' joins an existing one.")
    case .notABook(let folder, let fault):
      Told(
        "not-a-book", fault == nil ? .refused : .dataFault,
        "\(folder.string.visible) is not a book: \(fault?.text ?? "it contains other files").\n"
          + "If its book.json was lost or damaged, restore it from a backup. "
          + "Without a backup, move the folder away and join the book again from another device with 'daybook join'. "
          + "Unsynced changes are then only in the folder that you moved. "
          + "To keep them, remove its book.json if it is still there, "
          + "copy into that folder everything that only the new folder has, "
          + "then run 'daybook -C MOVED bundle kept.bundle' and, in the new book, 'daybook sync kept.bundle'."
      )
    case .bookExists(let folder):
      Told("book-exists", .refused, "there is already a book in \(folder.string.visible).")
    case .joinBegun(let folder): .joinBegun(in: folder)
    case .disk(let error): error.told
    case .journal(let error): error.told
    case .view(let error): error.told
    case .keys(let path, _):
      Told("key", .dataFault, "the key in \(path.string.visible) cannot be read or used.")
    case .noKey(let path):
      Told(
        "key", .dataFault,
        "the key \(path.string.visible) is missing, so this device cannot sign. "
          + "Restore it from a backup. Without a backup, 'daybook doctor' explains how to continue."
      )
    case .otherKey(let path):
      Told(
        "key", .dataFault,
        "\(path.string.visible) is not the key of this device's own log, so daybook does not sign with it.\n"
          + "Restore the right key; 'daybook doctor' checks it.")
    case .storeKeys(let path, let fault): fault.told(ofKeysIn: path)
    case .storeKey(let fault): fault.told
    case .unknown(let words, let kind): .unknown(words, kind)
    case .erased(let words):
      Told("erased", .refused, "'\(words.visible)' was permanently erased.")
    case .ambiguous(let words, let found): .ambiguous(words, found)
    case .gone(let found):
      Told(
        "deleted", .refused,
        "\(found.words) is deleted. To bring it back, run 'daybook restore \(found.shortID)'.")
    case .hidden(let found, let parent):
      Told(
        "deleted", .refused,
        "\(found.words) \(parent.kind == .list ? "is on" : "belongs to") the deleted \(parent.words). "
          + "To bring both back, run 'daybook restore \(parent.shortID)'.")
    case .notGone(let found):
      Told("not-deleted", .refused, "\(found.words) is not deleted.")
    case .refused(let refusal): Told("refused", .refused, refusal.text)
    case .conflictChanged:
      Told(
        "conflict-changed", .refused,
        "the conflict has changed since it was read. Nothing was done; read the conflicts again.")
    case .otherSide:
      Told(
        "other-side", .refused,
        "the value is not part of this conflict. Nothing was done; choose one of the values in conflict."
      )
    case .busy(let holder):
      Told(
        "busy", .busy,
        "the book is busy" + (holder.map { ": process \($0.visible) is writing" } ?? "")
          + ". Try again in a moment.")
    case .nothingToUndo: Told("nothing-to-undo", .refused, "there is nothing to undo.")
    case .nothingInThisLog:
      Told(
        "nothing-to-undo", .refused,
        "this device has begun a new log, and there is nothing to undo in it. "
          + "'daybook devices' lists the earlier logs, "
          + "and 'daybook undo --by NAME --since TIME' undoes the commands in one of them.")
    case .nothingToRedo(let afterUndo):
      Told(
        "nothing-to-redo", .refused,
        "there is nothing to redo. "
          + (afterUndo
            ? "The last command is an undo that counts as a new command. To reverse it, run 'daybook undo'."
            : "An 'undo --since' counts as a new command, which 'daybook undo' reverses."))
    case .erasureInTheWay:
      Told(
        "erasure", .refused,
        "the next command to undo is an erasure, which cannot be undone. Nothing was done.\n"
          + "To undo the command before it, run 'daybook undo --past-erasure'.")
    case .lastingInTheWay(let change):
      Told(
        "device-change", .refused,
        "the last change cannot be undone: \(change.words). Nothing was done.\n"
          + "To undo the command before it, run 'daybook undo --past-devices'.")
    case .editedSince(let edits):
      Told(
        "edited-since", .refused,
        "another device has since edited "
          + (edits.count == 1 ? "1 field" : "\(edits.count) fields")
          + " that this command would change. Nothing was done; --force continues anyway.")
    case .dependedOn(let dependences):
      Told(
        "depended-on", .refused,
        "\(dependences.map(\.words).joined(separator: "; ")). "
          + "Nothing was undone; --force deletes \(dependences.count == 1 ? "it" : "them") anyway.")
    case .fewerCommands(let count):
      Told(
        "fewer-commands", .refused,
        "there \(count == 1 ? "is only 1 command" : "are only \(count) commands") left. "
          + "Nothing was done.")
    case .noSuchCommand(let name):
      Told(
        "no-such-command", .refused,
        "there is no command '\(name.visible)'. Use DEVICE:SEQUENCE, as 'daybook log' shows it, "
          + "or SEQUENCE alone for a command of this device."
      )
    case .undoneAlready(let name):
      Told(
        "undone-already", .refused,
        "the command '\(name.visible)' is already undone. "
          + "To redo the last undone command, run 'daybook redo'.")
    case .nothingSince(let device):
      Told("nothing-to-undo", .refused, "\(device.visible) has written nothing since then.")
    case .onlyErasedSince(let device, let count):
      Told(
        "erasure", .refused,
        "since then, \(device.visible) has only erased \(count == 1 ? "1 record" : "\(count) records"), "
          + "and an erasure cannot be undone.")
    case .nothingLeftSince(let device):
      Told(
        "nothing-to-undo", .refused,
        "nothing is left to undo, because everything that \(device.visible) has written since then "
          + "has been undone or no longer has any effect.")
    case .severalLogs(let devices):
      Told(
        "several-logs", .refused,
        "that device has \(devices.count) logs. Use one of these in place of its name: "
          + devices.map(\.logWords).joined(separator: ", ") + ".")
    case .importFault(let line, let fault): fault.told(at: line)
    case .unprovable(let obstacle): obstacle.told
    case .notAdmitted: .notAdmitted
    case .ownKey:
      Told(
        "own-key", .refused,
        "a device cannot revoke its own key. Revoke it on another device; "
          + "if somebody else has the key, first run 'daybook device rekey' on this device.")
    case .tooManyLogs:
      Told(
        "too-many-logs", .refused,
        "this record is in a log beyond the \(Journaling.Limit.tableEntries) logs that a device can refer to.\n"
          + "'daybook devices' shows which device has too many logs; revoke it with 'daybook device revoke NAME'."
      )
    case .namedBeforeAdmission(let name, let key):
      Told(
        "not-yet-admitted", .refused,
        "\(name.visible) is not admitted yet, and naming it would admit it. Nothing was done.\n"
          + "If you recognize it, first run 'daybook device admit \(key)'.")
    case .revokedKey(let name):
      Told(
        "revoked", .refused,
        "\(name.visible) is revoked, and a revoked key cannot be admitted again.\n"
          + "To rejoin, run 'daybook device rekey' on that device, and admit its new key.")
    case .alreadyRevoked(let name, let author, let time):
      Told(
        "revoked", .refused,
        "\(name.visible) has already been revoked by \(author.visible)\(time.map { " at \(Instant.text($0))" } ?? ""). "
          + "Nothing was done.\n"
          + "To also reject the changes that it made earlier, revoke it with --all.")
    case .admittedThrough(let name):
      Told(
        "admitted-through", .refused,
        "this device was admitted through \(name.visible), so --all would also remove this device and everything it wrote. "
          + "Without --all, everything written so far stays.")
    case .badDeviceName(let name):
      Told(
        "bad-name", .refused,
        "a device cannot be called '\(name.visible)', because a name must be one line of at most "
          + "\(Device.nameBytes) bytes, must not be blank, and must not end like the name of a command ('phone:3')."
      )
    case .deviceNameTaken(let name):
      Told(
        "name-taken", .refused,
        "another device is already called '\(name.visible)'. Choose another name.")
    case .nameOfRevokedDevice(let name, let key):
      Told(
        "name-taken", .refused,
        "a revoked device is called '\(name.visible)'. To use the name again, "
          + "first give that device another one: daybook device rename \(key) NEW")
    case .sync(let error): error.told
    case .network(let error): error.told
    case .storeJoin(let fault): fault.told
    case .ownInvitation:
      Told(
        "own-invitation", .refused,
        "this device issued that invitation. Use it on the device that is to join.")
    case .badInvitation(let fault): fault.told
    case .closedInvitation:
      Told(
        "invitation", .refused,
        "that invitation is no longer valid, because it has been used, was declined, or is older than ten minutes.\n"
          + "Run 'daybook invite' on the inviting device to get a new one. If this device was revoked, "
          + "run 'daybook device rekey' first.")
    case .otherInviter(let address):
      Told(
        "other-machine", .refused,
        "the machine at \(address.visible) did not issue the invitation, because it has a different key.\n"
          + "Check the address, or run 'daybook invite' on the inviting device again.")
    case .declined: Told("declined", .refused, "nothing was done.")
    case .unknownPeer(let name):
      Told(
        "unknown-device", .refused,
        "no device is called '\(name.visible)'. 'daybook devices' lists the devices.")
    case .severalDevices(let name, let listed):
      Told(
        "several-devices", .refused,
        "several devices are called '\(name.visible)': \(listed.map(\.keyWords).joined(separator: ", ")). "
          + "Name the device by the words of its key.")
    case .contacts(let path, let fault):
      Told(
        "contacts", .dataFault,
        "the file \(path.string.visible) with the remembered peers cannot be read: \(fault.text).\n"
          + "Repair it, or move it away and add the peers again. The book is unharmed."
      )
    case .noSuchPeer(let name):
      Told(
        "no-such-peer", .refused,
        "no peer is called '\(name.visible)'. 'daybook peers' lists the peers.")
    case .badPeerName(let name):
      Told(
        "bad-name", .refused,
        "a peer cannot be called '\(name.visible)', because a name must be one line of 1 to \(Device.nameBytes) bytes "
          + "without slashes, and must not be '-', '.', '..' or an invitation.")
    case .peerNameTaken(let name):
      Told("name-taken", .refused, "another peer is already called '\(name.visible)'.")
    case .tooManyPeers:
      Told(
        "too-many", .refused,
        "too many peers are remembered. To make room for another, run 'daybook peer forget NAME'.")
    case .changedKey(let name, let known, let shown):
      Told(
        "changed-key", .refused,
        """
        \(name.visible) presented a different key than before, so nothing was sent.
        The words of the new key are \(shown); those of the old key are \(known).
        Another machine may be answering in its place. Run this only if 'daybook devices' on \(name.visible) itself shows \
        the new words: daybook peer trust \(name.quoted.visible) \(shown)
        """)
    case .revokedPeer(let device, let words, let peer): .revokedPeer(device, words, peer)
    case .keyless(let name):
      Told(
        "keyless", .refused,
        "\(name.visible) is not a machine, and only a machine has a key to trust.")
    case .noAddress(let name):
      Told(
        "no-address", .refused,
        "the address of \(name.visible) is not known, because that device always starts the connection.\n"
          + "Add its address with 'daybook peer add \(name.quoted.visible) tcp://HOST:PORT'.")
    case .emptiedPeer(let name, let address, let time):
      address.emptied(called: name, since: time)
    case .plainFolder(let folder):
      Told(
        "plain-folder", .refused,
        "\(folder.string.visible) already contains readable files of this book, which sealing would not hide.\n"
          + "Use another folder, and delete these files once every device syncs through the new one."
      )
    case .formerStore(let folder):
      Told(
        "former-store", .refused,
        "the sealed store in \(folder.string.visible) belongs to the former book of this device.\n"
          + "To start a separate store for this book in the same folder, run 'daybook peer add NAME DIR --sealed --new'."
      )
    case .unopenedStores(let folder, let count):
      Told(
        "sealed-store", .refused,
        "\(folder.string.visible) contains \(count == 1 ? "a sealed store" : "\(count) sealed stores") "
          + "that this device cannot open.\n" + Told.adviceOnUnopenedStore)
    case .notServed:
      Told(
        "not-served", .refused,
        "no device could join, because this book is not being served. Run 'daybook serve' in another window,\n"
          + "then 'daybook invite' again; or specify the future address of the server with --address HOST:PORT."
      )
    case .severalBooks(let books, let wanted): books.toChoose(insteadOf: wanted)
    case .beginningNotThere(let problems):
      Told(
        "no-beginning", .dataFault,
        (problems.map(\.text) + [
          "that copy lacks the event that began the book, and a book cannot be joined without it. "
            + "Use a whole bundle, made without --since, or join from another device or folder"
        ]).joined(separator: ".\n") + ".")
    case .erasureLeft(let error): .erasureLeft(by: error)
    case .storedBefore(let part, let error): error.told.having(done: part.words)
    }
  }
}

extension StoredPart {
  /// The sentence that follows the error and states what is kept.
  fileprivate var words: String {
    switch self {
    case .own:
      "\nChanges that this device made before the error are kept and count; 'daybook log' shows them."
    case .arrivals:
      "\nEvents received before the error are kept; 'daybook log' and 'daybook conflicts' show them."
    case .joining: "\nThe book was joined anyway; run 'daybook status' to see its state."
    }
  }
}

extension Told {
  fileprivate static func erasureLeft(by error: DaybookError) -> Told {
    let rest =
      "\nThe erased content is no longer shown, but its bytes are still in files on this device. "
      + "The next command that writes, compacts or syncs removes them; until then, this device sends nothing."
    return error.told.having(done: rest, code: "erasure-left")
  }

  fileprivate static func unknown(_ words: String, _ kind: Kind?) -> Told {
    let what = kind.map { "no \($0.noun) is" } ?? "nothing is"
    return Told(
      "not-found", .refused,
      "\(what) called '\(words.visible)'. 'daybook search TEXT' searches all records.")
  }

  fileprivate static func ambiguous(_ words: String, _ found: [Found]) -> Told {
    let shown = found.prefix(5).map { candidate in
      // The typed text alone identifies no record, so an id equal to it is shown with more letters.
      let id =
        candidate.shortID == words.lowercased()
        ? ShortID.text(of: candidate.id, length: candidate.shortID.count + 2) : candidate.shortID
      return "\(id) \(candidate.title.shortened.visible)"
    }
    let rest = found.count > shown.count ? ", and \(found.count - shown.count) more" : ""
    return Told(
      "ambiguous", .refused,
      "'\(words.visible)' matches \(found.count) records. Choose one by its id:\n"
        + shown.joined(separator: ", ") + rest)
  }
}

extension Found {
  fileprivate var words: String { "\(kind.name) '\(title.shortened.visible)'" }
}

extension String {
  /// The title, cut off if it is too long for a sentence.
  fileprivate var shortened: String {
    let most = 40
    return count > most ? prefix(most) + "…" : self
  }
}
