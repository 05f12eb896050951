import Daybook
import Phrasing
import Platform

extension Device {
  /// Sentences about the origin of the name, which say who gave it and which other devices previously had it; empty if
  /// the name needs no explanation.
  func originSentences(at timekeeper: any Timekeeper) -> [String] {
    var sentences: [String] = []
    if let renaming {
      sentences.append("It was \(renaming.text(at: timekeeper)).")
    }
    for holder in formerHolders {
      sentences.append("'\(name.visible)' was the name of \(holder.text(at: timekeeper)).")
    }
    return sentences
  }
}

extension Device.Renaming {
  /// Who gave the name, and the name before it: `given this name by phone (gogin-…) on 2026-11-26 10:00; its previous
  /// name was tablet`.
  func text(at timekeeper: any Timekeeper) -> String {
    let words = authorFingerprint.joined(separator: "-")
    let day = time.map { " on \(timekeeper.localText(of: $0))" } ?? ""
    return "given this name by \(author.visible) (\(words))\(day); "
      + "its previous name was \(formerName.visible)"
  }
}

extension Device.FormerHolder {
  /// The device by its present name and its key, and the time until which it had the name.
  func text(at timekeeper: any Timekeeper) -> String {
    let day = until.map { " until \(timekeeper.localText(of: $0))" } ?? " in the past"
    return "\(name.visible) (\(fingerprint.joined(separator: "-")))\(day)"
  }
}
