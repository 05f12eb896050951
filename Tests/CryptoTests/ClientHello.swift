/// The parts of a client's first message, which tests can change.
struct ClientHello {
  struct Extension {
    var type: UInt16
    var content: [UInt8]
  }

  /// The version, random bytes, session id, cipher suites and compression methods.
  private let front: [UInt8]
  var extensions: [Extension]

  /// Parses the only record, which contains the message.
  init?(_ wire: [UInt8]) {
    // Five bytes of the record, four of the message, two of the version and 32 random bytes.
    guard wire.count > 44, wire[0] == 22, wire[5] == 1 else { return nil }
    var place = 43
    place += 1 + Int(wire[place])
    place += 2 + Self.number(wire, place)
    place += 1 + Int(wire[place])
    front = Array(wire[9..<place])
    let end = place + 2 + Self.number(wire, place)
    place += 2
    extensions = []
    while place < end {
      let count = Self.number(wire, place + 2)
      extensions.append(
        Extension(
          type: UInt16(Self.number(wire, place)),
          content: Array(wire[place + 4..<place + 4 + count])))
      place += 4 + count
    }
  }

  /// The record, assembled again from its parts.
  var wire: [UInt8] {
    let told = extensions.flatMap { two(Int($0.type)) + two($0.content.count) + $0.content }
    let body = front + two(told.count) + told
    let message = [1, 0] + two(body.count) + body
    return [22, 3, 1] + two(message.count) + message
  }

  private static func number(_ bytes: [UInt8], _ place: Int) -> Int {
    Int(bytes[place]) << 8 | Int(bytes[place + 1])
  }

  private func two(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xff)] }
}
