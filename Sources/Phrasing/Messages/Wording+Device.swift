import Bytes
import Daybook

extension Device {
  /// What names its log alone: the name of a branch, or the id, with what tells it apart from the others.
  var logWords: String {
    if branch != nil { return "'\(listedName.visible)'" }
    let last = lastWritten.map { ", the last of \(Instant.text($0))" } ?? ""
    return "\(replica.hex) (\(events == 1 ? "1 event" : "\(events) events")\(last))"
  }
}
