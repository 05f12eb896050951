import Bytes
import Daybook

extension Device {
  /// Words that tell the log from others: the name of a branch in quotation marks, or the id with the number of events
  /// and the time of the last one.
  var logWords: String {
    if branch != nil { return "'\(listedName.visible)'" }
    let last = lastWritten.map { ", the last of \(Instant.text($0))" } ?? ""
    return "\(replica.hex) (\(events == 1 ? "1 event" : "\(events) events")\(last))"
  }
}
