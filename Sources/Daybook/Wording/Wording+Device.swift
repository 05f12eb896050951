import Bytes
import Wording

extension Device {
  /// The name of the device, followed by the words of its key, which are unique to it.
  var keyWords: String {
    let listed = Self.listedName(name, isFormerKey: isFormerKey)
    return "\(listed.visible) (\(fingerprint.joined(separator: "-")))"
  }

  /// Text that distinguishes the log from others: its name in quotation marks and, for one of several logs, the number
  /// of events and the time of the last event.
  var logWords: String {
    if branch != nil { return "'\(listedName.visible)'" }
    let last = lastWritten.map { ", the last at \(Instant.text($0))" } ?? ""
    let name = part == nil ? replica.hex : "'\(logName.visible)'"
    return "\(name) (\(events == 1 ? "1 event" : "\(events) events")\(last))"
  }
}
