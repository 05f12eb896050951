import Bytes
import Syncing
import Wording

extension [DirectoryBook] {
  /// The error that lists these books, of which the wanted id identifies none or several.
  func toChoose(insteadOf wanted: String?) -> Told {
    let start =
      wanted.map { "'\($0.visible)' does not identify exactly one book." }
      ?? "there are \(count) books."
    let lines = map { book in
      let founder = book.founder.map { "founded on \($0.visible)" } ?? "founder unknown"
      let last = book.lastWritten.map { ", the last at \(Instant.text($0))" } ?? ""
      return
        "  \(book.id.hex)  \(founder), \(book.events) \(book.events == 1 ? "event" : "events")\(last)"
    }
    return Told(
      "several-books", .refused,
      ([start + " Choose one with --book followed by the first characters of its id:"] + lines)
        .joined(separator: "\n"))
  }
}
