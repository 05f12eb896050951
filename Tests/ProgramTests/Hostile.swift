import Bytes
import Crypto
import Foundation
import Platform
import PosixPlatform
import Synchronization
import Syncing

/// An admitted device that has become hostile and sends arbitrary bytes.
final class Hostile {
  private let line: SecureLine
  private var reader = MessageReader()

  /// Connects to a server on this machine, with a correct handshake.
  init(_ identity: TLSIdentity, at port: UInt16, over wire: Wiretap? = nil) throws {
    let line: any Line =
      if let wire { wire } else { try Hostile.dial(port) }
    self.line = try SecureLine.open(
      .client, over: line, as: identity, timekeeper: SystemTimekeeper()
    ) { _ in true }
  }

  static func dial(_ port: UInt16) throws -> any Line {
    try PosixNetwork().dial(host: "127.0.0.1", port: port, patienceMilliseconds: 10_000)
  }

  /// Reads the key of a program's device from its disk.
  static func identity(of program: Program) throws -> TLSIdentity {
    let folder = program.folder.appending(path: "book/keys")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
    let pem = try String(contentsOf: folder.appending(path: names[0]), encoding: .utf8)
    return try TLSIdentity(DeviceKeys(pem: pem).signing)
  }

  /// Sends as many of the bytes as the other side reads.
  func say(_ bytes: [UInt8]) { try? line.send(bytes, patienceMilliseconds: 10_000) }

  /// Reads until the other side closes, and returns its reason.
  func refusal() -> Refusal? {
    var refusal: Refusal?
    while let bytes = try? line.receive(upTo: 1 << 16, patienceMilliseconds: 20_000),
      !bytes.isEmpty
    {
      reader.append(bytes)
      while let message = try? reader.next() {
        if case .refusal(let told) = message { refusal = told }
      }
    }
    line.close()
    return refusal
  }

  /// Reads a message, if one arrives.
  func hear() -> Message? {
    while true {
      if let message = try? reader.next() { return message }
      guard let bytes = try? line.receive(upTo: 1 << 16, patienceMilliseconds: 10_000),
        !bytes.isEmpty
      else { return nil }
      reader.append(bytes)
    }
  }

  /// Whether the other side has closed; other data is skipped.
  func hasBeenLeft() -> Bool { line.hasBeenLeft() }

  func close() { line.close() }
}

extension Line {
  /// Whether the other side has closed the line.
  func hasBeenLeft() -> Bool {
    do throws(NetworkError) {
      while try !receive(upTo: 1 << 16, patienceMilliseconds: 0).isEmpty {}
      return true
    } catch {
      return error != .timedOut
    }
  }
}

/// A line that records the bytes sent over it.
final class Wiretap: Line {
  private let line: any Line
  private let sent = Mutex<[UInt8]>([])

  init(_ line: any Line) { self.line = line }

  /// All bytes sent so far.
  var record: [UInt8] { sent.withLock { $0 } }

  var peer: String { line.peer }

  func receive(
    upTo count: Int, patienceMilliseconds: Int
  ) throws(NetworkError) -> [UInt8] {
    try line.receive(upTo: count, patienceMilliseconds: patienceMilliseconds)
  }

  func send(_ bytes: [UInt8], patienceMilliseconds: Int) throws(NetworkError) {
    sent.withLock { $0 += bytes }
    try line.send(bytes, patienceMilliseconds: patienceMilliseconds)
  }

  func offer(_ bytes: ArraySlice<UInt8>) throws(NetworkError) -> Int {
    let count = try line.offer(bytes)
    sent.withLock { $0 += bytes.prefix(count) }
    return count
  }

  func close() { line.close() }
}
