import Domain
import Journaling

/// The number of bytes that events use up in their authors' quotas.
///
/// Short encodings can make a reader hold many small items, such as tags that are set to false. Each item is therefore
/// charged for the memory that it is likely to take, in addition to its encoding.
enum EventCharge {
  /// The bytes charged for an event about membership or erasure, because the event is kept in memory.
  private static let bytesOfTrust = 256
  /// The bytes charged for an entry of `seen`, and for each range of missing events in the entry.
  private static let bytesOfSight = 64

  /// The bytes charged for an event, except the additional charge for the fields of its body.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - header: The header of the event, if it names other events.
  /// - Returns: The number of bytes.
  static func bytes(of event: EventRecord, naming header: Header?) -> UInt64 {
    var sum = event.header.count + event.body.count
    if let verb = event.verb, JournalVerb.trust.contains(verb) { sum += bytesOfTrust }
    for seen in header?.seen ?? [] { sum += bytesOfSight * (1 + seen.missing.count) }
    return UInt64(sum)
  }

  /// The bytes charged for the events of a frame, except the given number of events at its beginning.
  static func bytes(of frame: borrowing Frame, after held: Int = 0) -> UInt64 {
    var sum: UInt64 = 0
    for event in frame.events.dropFirst(held) {
      let header = event.namesOthers ? try? frame.header(of: event) : nil
      sum += bytes(of: event, naming: header)
      guard event.verb != nil else { continue }
      let bytes = frame.content.span.extracting(event.body)
      let body = try? Body.decode(bytes, author: 0) { UInt32(truncatingIfNeeded: $0) }
      sum += UInt64(body?.fieldBytes ?? 0)
    }
    return sum
  }
}
