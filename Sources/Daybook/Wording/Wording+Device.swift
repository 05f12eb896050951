import Bytes
import Wording

extension Device {
  /// The name of the device, followed by the words of its key, which are unique to it.
  var keyWords: String {
    let listed = Self.listedName(name, isFormerKey: isFormerKey)
    return "\(listed.visible) (\(fingerprint.joined(separator: "-")))"
  }

  /// Text that distinguishes a log from others: the name of a branch; for any other log, its name or id, the number of
  /// its events, and the time of the last event.
  var logWords: String {
    if branch != nil { return "'\(listedName.visible)'" }
    let last = lastWritten.map { ", the last at \(Instant.text($0))" } ?? ""
    let name = part == nil ? replica.hex : "'\(logName.visible)'"
    return "\(name) (\(events == 1 ? "1 event" : "\(events) events")\(last))"
  }
}
