import Bytes

/// Events that say nothing but what their headers name as seen.
///
/// They stand before a command that would have to name more than one event may.
package enum Observation {
  /// The body of such an event.
  package static let body: [UInt8] = {
    var writer = CBORWriter()
    writer.begin(.observe, items: 1)
    return writer.bytes
  }()
}
