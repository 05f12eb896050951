package import Bytes

/// Something a stream of server-sent events tells.
package struct StreamEvent: Equatable, Sendable {
  package var name: String
  package var data: JSON
  /// By what the client names it when it comes back.
  package var id: String?

  package init(_ name: String, _ data: JSON, id: String? = nil) {
    (self.name, self.data, self.id) = (name, data, id)
  }

  /// As the stream has it; JSON in one line has no line break that would end it.
  package var bytes: [UInt8] {
    let start = id.map { "id: \($0)\n" } ?? ""
    return Array("\(start)event: \(name)\ndata: \(data.text())\n\n".utf8)
  }

  /// What says no more than that the stream is still there.
  static let heartbeat = Array(":\n\n".utf8)
}
