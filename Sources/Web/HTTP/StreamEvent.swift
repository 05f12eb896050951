package import Bytes

/// One event in a stream of server-sent events.
package struct StreamEvent: Equatable, Sendable {
  package var name: String
  package var data: JSON
  /// The id that the client sends as `Last-Event-ID` when it reconnects.
  package var id: String?

  package init(_ name: String, _ data: JSON, id: String? = nil) {
    (self.name, self.data, self.id) = (name, data, id)
  }

  /// The bytes of the event; the JSON is on one line, so no line break ends the event early.
  package var bytes: [UInt8] {
    let start = id.map { "id: \($0)\n" } ?? ""
    return Array("\(start)event: \(name)\ndata: \(data.text())\n\n".utf8)
  }

  /// A comment line that shows that the stream is still alive.
  static let heartbeat = Array(":\n\n".utf8)
}
