import Bytes
import Syncing
import Testing

extension TestVector {
  /// The message with the fields of the vector.
  func message() throws -> Message {
    let type = try text("type")
    switch type {
    case "hello": return .hello(try hello())
    case "frame": return .frame(log: try id("replica"), try bytes("frame"))
    case "end": return .end(Frontier(try places()))
    case "have": return .have(Frontier(try places()), ends: UInt64(try number("ends")))
    case "refusal":
      return .refusal(Refusal(code: UInt64(try number("code")), text: try text("text")))
    case "prove": return .prove(try proof())
    case "alive": return .alive
    case "asking": return .asking
    default: throw UnknownType(type: type)
    }
  }

  struct UnknownType: Error { var type: String }

  private func hello() throws -> Hello {
    let former = try text("former books")
    return Hello(
      book: try text("book") == "null" ? nil : id("book"),
      formerBooks: former == "none"
        ? [] : try former.split(separator: " ").map { try #require(UniqueID(hex: String($0))) },
      replica: try id("replica"), frontier: Frontier(try places()),
      incarnation: try id("incarnation"), stays: try text("stays") == "true",
      versions: UInt64(try number("lowest"))...UInt64(try number("highest")))
  }

  private func proof() throws -> Proof {
    Proof(
      code: try digest("proof"), name: try text("name"),
      port: try text("port") == "null" ? nil : UInt16(number("port")),
      secretName: contains("secret name") ? try id("secret name") : nil)
  }
}

/// The messages of a session, byte for byte, and the refusals of others.
struct MessageVectorTests {
  static func good() throws -> [TestVector] {
    try ProtocolText.vectors().filter { $0.name.hasPrefix("message: ") }
  }

  /// The message that consists of the given bytes.
  private static func read(_ bytes: [UInt8]) throws -> Message {
    var reader = MessageReader()
    reader.append(bytes)
    let message = try reader.next()
    #expect(!reader.isInside)
    return try #require(message)
  }

  @Test(arguments: try good()) func `Message: each vector has exactly the bytes of its fields`(
    vector: TestVector
  ) throws {
    let bytes = try vector.bytes("message")
    let message = try vector.message()
    #expect(try Self.read(bytes) == message)
    // The program does not write the items that it passes over. They change only the length and the number of items.
    let more = vector.contains("more") ? try vector.bytes("more").count : 0
    let encoded = message.encoded
    if more == 0 { #expect(encoded == bytes) }
    #expect(encoded.dropFirst(5).elementsEqual(bytes.dropFirst(5).dropLast(more)))
  }

  @Test func `Message: the vectors contain all types`() throws {
    let types = try Self.good().map { try $0.text("type") }
    #expect(
      Set(types) == ["hello", "frame", "end", "have", "refusal", "prove", "alive", "asking"])
  }

  @Test func `Message: the secret name of a proof is that of the secret`() throws {
    let secret = try ProtocolText.vector("invitation").bytes("secret")
    #expect(
      Invitation.name(of: secret) == (try ProtocolText.vector("message: prove").id("secret name")))
  }

  // MARK: Refusals

  /// The desk as a listener on a line on which the phone has proved its key.
  private static func listener() throws -> Session {
    guard case .hello(let hello) = try ProtocolText.vector("message: hello").message() else {
      throw TestVector.UnknownType(type: "hello")
    }
    return Session(
      .listener, hello: hello, peerKey: try LogVector("log of phone").publicKey())
  }

  /// The code with which the desk refuses the first bytes of a dialler; nil if it does not refuse them.
  private static func refusal(of bytes: [UInt8]) throws -> UInt64? {
    var session = try listener()
    session.receive(bytes)
    let effects = session.next()
    for case .send(let answer) in try #require(effects) {
      if case .refusal(let refusal) = try read(answer) { return refusal.code }
    }
    return nil
  }

  @Test func `Message: each bad vector is refused before it is handled`() throws {
    let vector = try ProtocolText.vector("bad messages of code 3")
    #expect(vector.pairs.count > 50)
    for (name, _) in vector.pairs {
      let bytes = try vector.bytes(name)
      #expect(throws: SyncError.self, "\(name)") { try Self.read(bytes) }
      #expect(try Self.refusal(of: bytes) == 3, "\(name)")
    }
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func `Message: each bad hello is read and then refused with its code`(code: UInt64) throws {
    let vector = try ProtocolText.vector("bad hellos of code \(code)")
    for (name, _) in vector.pairs {
      let bytes = try vector.bytes(name)
      _ = try Self.read(bytes)
      #expect(try Self.refusal(of: bytes) == code, "\(name)")
    }
  }

  @Test func `Message: vectors at a limit are taken, and those beyond it refused`() throws {
    let vector = try ProtocolText.vector("messages at and beyond a limit")
    for (name, value) in vector.pairs {
      let parts = value.split(separator: " ")
      let bytes = try Parts.bytes(parts.dropFirst())
      guard let code = UInt64(parts[0]) else {
        #expect(parts[0] == "taken")
        #expect(throws: Never.self, "\(name)") { try Self.read(bytes) }
        continue
      }
      #expect(try Self.refusal(of: bytes) == code, "\(name)")
    }
  }
}
