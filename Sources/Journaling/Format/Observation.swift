import Bytes

/// Events whose headers name other events as seen, and that have no other content.
///
/// These events precede a command that would otherwise name more than ``Limit/seenEntries`` logs in one event.
package enum Observation {
  /// The body of such an event.
  package static let body: [UInt8] = {
    var writer = CBORWriter()
    writer.begin(.observe, items: 1)
    return writer.bytes
  }()
}
