import Daybook
import Domain
import Phrasing
import Platform
import Wording

extension Finding.LockState {
  var text: String {
    switch self {
    case .free: "no process is writing"
    case .held(let process?): "process \(process.visible) is writing; if it hangs, end it"
    case .held(nil): "another process is writing; if it hangs, end it"
    case .unknown: "the lock cannot be tested"
    }
  }
}

extension Finding.ContactsState {
  var text: String {
    switch self {
    case .known(let count): "\(count.counted("peer")) remembered by name"
    case .damaged(let path, let fault):
      "\(path.string.visible) cannot be read: \(fault.text); "
        + "repair it, or move it away and add the peers again with 'daybook peer add NAME ADDRESS'"
    }
  }
}

extension [FolderPeer] {
  /// The folders that need attention, with advice; if none does, a statement that all are in order.
  var text: String {
    let troubled = filter { $0.state != .sound }
    guard troubled.isEmpty else { return troubled.map(\.text).joined(separator: ". ") }
    let names = map(\.name.visible).joined(separator: ", ")
    let (contain, them) = count == 1 ? ("contains", "it") : ("contain", "them")
    return "\(names) \(contain) this book, and this device can write into \(them)"
  }
}

extension FolderPeer {
  fileprivate var text: String {
    let (peer, place) = (name.quoted.visible, path.string.visible)
    let forgets = "run 'daybook peer forget \(peer)'"
    let what =
      switch state {
      case .sound: "\(place) contains this book"
      case .away:
        "\(place) is not available; plug it in or mount it, or \(forgets) if it is gone for good"
      case .emptied(let time):
        "\(place) contains no book, although this book was synced with it on \(Instant.dayText(time)); "
          + "mount its disk, or, if it was emptied on purpose, \(forgets), then 'daybook peer add \(peer) "
          + "\(path.string.quoted.visible)\(isSealed ? " --sealed" : "")'"
      case .lacking:
        "\(place) contains nothing of this book; 'daybook sync \(peer)' writes the book there"
      case .closed(let refusal):
        "cannot write into \(refusal.path.string.visible): \(refusal.reason.textOfCause)"
      case .former: DaybookError.formerStore(path).told.textOfClause
      case .unusable(let error): DaybookError.sync(error).told.textOfClause
      }
    return "\(name.visible): \(what)"
  }
}

extension Told {
  /// The text without its full stop.
  fileprivate var textOfClause: String {
    text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}

extension UnopenedObjects {
  func text(_ timekeeper: any Timekeeper) -> String {
    "\(peer.visible): \(objects.text(timekeeper)), so this device could not read \(objects.count == 1 ? "it" : "them"); "
      + "unless this device was revoked, it gets the key "
      + "once an admitted device that has the key has synced there, and this device then syncs again"
  }
}

extension Finding.KeyState {
  var text: String {
    switch self {
    case .usable: "this device can sign its events"
    case .none: "this device has written nothing yet, so it has no key"
    case .missing(let path): Self.unusable("\(path.string.visible) is missing")
    case .lost(let path):
      "\(path.string.visible) is missing, and the log that it signed cannot be continued, "
        + "so this device gets a new key with your next change, and its changes do not count on other devices "
        + "until one of them runs 'daybook device admit WORDS' with the words of the new key "
        + "(if there is none, 'daybook found --with NAME' begins a new book); "
        + "to keep the old key, restore the file from a backup before you write anything"
    case .unreadable(let path): Self.unusable("\(path.string.visible) cannot be read or used")
    case .other(let path):
      Self.unusable("\(path.string.visible) is not the key of the log that this device writes")
    }
  }

  private static func unusable(_ what: String) -> String {
    "\(what), so nothing can be written; restore it from a backup. Without a backup, start over: "
      + "run 'daybook export -o kept.jsonl', then 'daybook -C DIR join PEER' (or, if there is no other device, "
      + "'daybook -C DIR add …' for a new book), then 'daybook -C DIR import kept.jsonl'. "
      + "That file contains no deletions, merges or erasures; "
      + "if the join brings back records that you deleted, merged or erased, delete, merge or erase them again"
  }
}

extension Finding.ViewState {
  var text: String {
    switch self {
    case .current: "view.sqlite is intact and up to date"
    case .behind: "view.sqlite is out of date; the next command updates it from the logs"
    case .ahead:
      "view.sqlite still shows events that the logs have lost; 'daybook verify' lists them"
    case .unchecked: "view.sqlite could not be compared with the logs"
    case .none: "there is no view.sqlite; it is built from the logs when needed"
    case .damaged: "view.sqlite is damaged; 'daybook rebuild' rebuilds it from the logs"
    }
  }
}

extension Finding.PlaceState {
  var text: String {
    switch self {
    case .local: "a local disk, outside any folder that another program copies"
    case .remote:
      "a network disk; let only one machine use this folder, and sync the other machines with that one"
    case .copied(let folder, let program):
      "\(program) copies \(folder.string.visible) to other machines; "
        + "move the book elsewhere, and use that folder only for syncing"
    case .perhapsCopied(let folder, let program):
      "judging by its name, \(folder.string.visible) may be a folder that \(program) copies; "
        + "if it is, move the book elsewhere, and use that folder only for syncing"
    }
  }
}
