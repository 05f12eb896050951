package import Daybook
package import Platform

extension Standing {
  /// Explains the standing to a user who writes on this device, and what the user can do about it.
  package func text(at timekeeper: any Timekeeper) -> String {
    switch self {
    case .beginningMissing:
      "this device lacks the event that began this book, so it is unknown which devices may write, "
        + "and changes by other devices are not shown; "
        + "sync with another device or with a whole bundle, or restore a backup"
    case .unknown: "this device has written nothing in this book yet"
    case .admitted: "changes made on this device count on all devices"
    case .waiting:
      "this device is not admitted yet, "
        + "so its changes do not count on other devices until you run 'daybook device admit NAME' "
        + "on an admitted device, with the name of this device or the words of its key, and both devices sync"
    case .revoked(let removal):
      "this device was revoked by \(removal.text(at: timekeeper)); "
        + "to rejoin, run \(removal.cut > 0 ? Self.keeping : "")'daybook device rekey' on this device, then sync, "
        + "and admit the new key on another device with the 'daybook device admit WORDS' that 'device rekey' prints"
        + (removal.cut > 0
          ? "; then run 'daybook import kept.jsonl' on this device to write these changes again"
          : "")
        + ". If \(removal.author.visible) is in someone else's hands, \(Self.foundingAlone)"
    }
  }

  /// What to do if only a stranger's devices are admitted.
  package static let foundingAlone =
    "run 'daybook found --with NAME' on this device to begin a new book with this device and those that you name"

  private static let keeping = "'daybook export --uncounted -o kept.jsonl', then "

  /// Returns the same text, or a different one if the book has no device left that can admit others.
  package func text(at timekeeper: any Timekeeper, hasTrustedDevice: Bool) -> String {
    // If the beginning of the book is missing, it is not known which devices are trusted.
    hasTrustedDevice || self == .beginningMissing ? text(at: timekeeper) : Self.nobodyIsLeft
  }

  /// The text for a book in which no device is left that can admit this device again.
  package static let nobodyIsLeft =
    "no trusted device is left to admit or revoke others. "
    + "Begin a new book on one device with 'daybook found --with NAME', and join it on the others"
}

extension Standing.Removal {
  fileprivate func text(at timekeeper: any Timekeeper) -> String {
    let day = time.map { " on \(timekeeper.localText(of: $0))" } ?? ""
    let lost =
      switch cut {
      case 0: ""
      case 1: " (so far, 1 event)"
      default: " (so far, \(cut) events)"
      }
    return
      "\(author.visible)\(day); the later changes of this device are kept, but do not count on other devices\(lost)"
  }
}
