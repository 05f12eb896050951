import Bytes

/// Events that only name other events as seen, in their headers.
///
/// They precede a command that would have to name more than ``Limit/seenEntries`` logs in one event.
package enum Observation {
  /// The body of such an event.
  package static let body: [UInt8] = {
    var writer = CBORWriter()
    writer.begin(.observe, items: 1)
    return writer.bytes
  }()
}
