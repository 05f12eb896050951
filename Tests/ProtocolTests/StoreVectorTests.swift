import Bytes
import Crypto
import Foundation
import Sealing
import Testing

/// The vectors of `docs/store-vectors.md`.
struct StoreVectorTests {
  @Test func `Store key: each vector has its id`() throws {
    for vector in try StoreVector.all("store key") {
      #expect(try vector.key().id == vector.id("key id"))
    }
  }

  @Test func `Object name: each vector is sealed and opened`() throws {
    for vector in try StoreVector.all("name ") {
      let object = NamedObject(range: try vector.range(), digest: try vector.id("digest"))
      let name = SealedName(sealing: object, with: try vector.key())
      let text = try vector.text("name")
      #expect(ObjectName.events(name).text == text)
      #expect(try ObjectName(parsing: text) == .events(name))
      #expect(try name.open(with: vector.key()) == object)
    }
    for vector in try StoreVector.all("plain names") {
      for (_, text) in vector.pairs { #expect(try ObjectName(parsing: text).text == text) }
    }
  }

  @Test func `Object name: each bad vector is refused with its error`() throws {
    let vectors = try StoreVector.all("bad name: ")
    #expect(vectors.count == 15)
    for vector in vectors {
      try vector.expectError {
        let name = try ObjectName(parsing: vector.text("name"))
        if case .events(let sealed) = name { _ = try sealed.open(with: vector.key()) }
      }
    }
  }

  @Test func `Sealed object: each vector is sealed and opened`() throws {
    for vector in try StoreVector.all("object ") {
      let (key, store, frames) = try (vector.key(), vector.store(), vector.bytes("frames"))
      let object = SealedObject(sealing: frames, of: try vector.range(), in: store, with: key)
      #expect(object.bytes == (try vector.bytes("object")), "\(vector.name)")
      #expect(ObjectName.events(object.name).text == (try vector.text("name")))
      let named = try object.name.open(with: key)
      #expect(try SealedObject.open(object.bytes, as: named, in: store, with: key) == frames)
    }
  }

  @Test func `Sealed object: each bad vector is refused with its error`() throws {
    let vectors = try StoreVector.all("bad object: ")
    #expect(vectors.count == 16)
    for vector in vectors {
      let key = try vector.key()
      guard case .events(let name) = try ObjectName(parsing: vector.text("name")) else {
        Issue.record("\(vector.name) has no sealed name")
        continue
      }
      let named = try name.open(with: key)
      let (bytes, store) = try (vector.bytes("object"), vector.store())
      try vector.expectError {
        _ = try SealedObject.open(bytes, as: named, in: store, with: key)
      }
    }
  }

  @Test func `Sealed object: content is padded to the sizes of the vector`() throws {
    let vector = try #require(try StoreVector.all("padded sizes").first)
    let (key, store) = (Sample.key, Sample.store)
    for (count, padded) in vector.pairs {
      let (count, padded) = (try #require(Int(count)), try #require(Int(padded)))
      guard count >= 4, count < 1 << 20 else { continue }
      let object = SealedObject(
        sealing: [UInt8](repeating: 0, count: count - 4), of: Sample.range, in: store, with: key)
      #expect(object.bytes.count == 88 + padded, "\(count)")
    }
    #expect(vector.pairs.count == 12)
  }

  @Test func `HPKE: the vector is encrypted and decrypted`() throws {
    let vector = try #require(try StoreVector.all("HPKE").first)
    let recipient = try AgreementKey(seed: vector.bytes("recipient seed"))
    let (info, data) = try (vector.bytes("info"), vector.bytes("data"))
    let sealed = try HPKE.seal(
      vector.bytes("message"), to: recipient.publicKey,
      ephemeral: AgreementKey(seed: vector.bytes("ephemeral seed")), info: info,
      authenticating: data)
    let expected = HPKE.Sealed(
      encapsulated: try vector.bytes("encapsulated"), ciphertext: try vector.bytes("ciphertext"))
    #expect(sealed == expected)
    let opened = try HPKE.open(sealed, with: recipient, info: info, authenticating: data)
    #expect(opened == (try vector.bytes("message")))
  }

  static let python = "/usr/bin/python3"

  static let hasReader =
    (try? run([python, "-c", "import cryptography"])) == ""

  @Test(.enabled(if: hasReader, "python3-cryptography is not installed"))
  func `Independent reader: another implementation computes the same vectors`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let script = root.appending(path: "Tests/ProtocolTests/Independent/sealed.py").path()
    let document = root.appending(path: "docs/store-vectors.md").path()
    #expect(try Self.run([Self.python, "-B", script, document]) == "")
  }

  private static func run(_ words: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: words[0])
    process.arguments = Array(words.dropFirst())
    process.standardInput = FileHandle(forReadingAtPath: "/dev/null")
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? String(decoding: output, as: UTF8.self) : "failed"
  }
}
