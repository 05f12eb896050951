package import Bytes

/// A proof for a third party: events of one record, some of them shown, in the chains that signatures cover.
///
/// `docs/proof-format.md` specifies the file and what it proves.
package struct Proof: Hashable, Sendable {
  /// The id of the book, which is derived from the founder's first event.
  package var book: UniqueID
  /// The id of the record, which is derived from the event that added it.
  package var record: UniqueID
  package var logs: [ProofLog]

  package init(book: UniqueID, record: UniqueID, logs: [ProofLog]) {
    (self.book, self.record, self.logs) = (book, record, logs)
  }
}

/// One log of a proof: the key that signed it, and parts of the log.
///
/// If a log has forked, each way through the fork is a log of its own in the proof.
package struct ProofLog: Hashable, Sendable {
  /// The public key, not checked yet.
  package var key: [UInt8]
  package var incarnation: UniqueID
  package var stretches: [ProofStretch]

  package init(key: [UInt8], incarnation: UniqueID, stretches: [ProofStretch]) {
    (self.key, self.incarnation, self.stretches) = (key, incarnation, stretches)
  }
}

/// Consecutive events of a log, up to an event at which the device signed the log.
package struct ProofStretch: Hashable, Sendable {
  /// The sequence of the first event.
  package var first: UInt64
  /// The time of the event before, in ms since 1970, or 0.
  package var time: UInt64
  /// The chain hash at the event before.
  package var before: Digest
  /// The head at the last event; nil for the event that began the book, which the book's id proves.
  package var signature: [UInt8]?
  package var events: [ProofEvent]

  package init(
    first: UInt64, time: UInt64, before: Digest, signature: [UInt8]?, events: [ProofEvent]
  ) {
    (self.first, self.time, self.before) = (first, time, before)
    (self.signature, self.events) = (signature, events)
  }
}

/// An event of a proof: its header, and either its body or only the salted digest of the body.
package struct ProofEvent: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    case hidden(Digest)
    case shown(salt: UniqueID, body: [UInt8])
  }

  /// The header as it was written.
  package var header: [UInt8]
  package var content: Content

  package init(header: [UInt8], content: Content) {
    (self.header, self.content) = (header, content)
  }
}

extension Proof {
  /// The maximum length of a file, in bytes.
  package static let byteLimit = 16 << 20
  static let name = "daybook proof"
  static let version: UInt64 = 1

  /// The bytes of the file.
  package func encode() -> [UInt8] {
    var writer = CBORWriter()
    writer.arrayHeader(5)
    writer.text(Self.name)
    writer.unsigned(Self.version)
    writer.uniqueID(book)
    writer.uniqueID(record)
    writer.arrayHeader(logs.count)
    for log in logs {
      writer.arrayHeader(3)
      writer.byteString(log.key)
      writer.uniqueID(log.incarnation)
      writer.arrayHeader(log.stretches.count)
      for stretch in log.stretches { stretch.encode(to: &writer) }
    }
    return writer.bytes
  }

  /// Reads a file, without checking what it proves.
  package static func decode(_ bytes: [UInt8]) throws(ProofFault) -> Proof {
    guard bytes.count <= byteLimit else { throw .tooLarge(limit: byteLimit) }
    var reader = CBORReader(bytes.span)
    guard (try? reader.arrayHeader()) != nil, (try? reader.text()) == name else { throw .notAProof }
    guard let version = try? reader.unsigned(), version > 0 else { throw .notAProof }
    guard version == Self.version else { throw .version(version) }
    do throws(CBORError) {
      var whole = CBORReader(bytes.span)
      try whole.expectArray(of: 5)
      return try Proof(from: &reader, in: bytes.span)
    } catch {
      throw .encoding(error)
    }
  }

  private init(from reader: inout CBORReader, in bytes: Span<UInt8>) throws(CBORError) {
    book = try reader.uniqueID()
    record = try reader.uniqueID()
    logs = []
    for _ in 0..<(try reader.countOfSome()) {
      try reader.expectArray(of: 3)
      let key = try reader.byteString(count: 32)
      var log = ProofLog(key: key, incarnation: try reader.uniqueID(), stretches: [])
      for _ in 0..<(try reader.countOfSome()) {
        log.stretches.append(try ProofStretch(from: &reader, in: bytes))
      }
      logs.append(log)
    }
    try reader.finish()
  }
}

extension ProofStretch {
  fileprivate func encode(to writer: inout CBORWriter) {
    writer.arrayHeader(5)
    writer.unsigned(first)
    writer.unsigned(time)
    writer.digest(before)
    if let signature { writer.byteString(signature) } else { writer.null() }
    writer.arrayHeader(events.count)
    for event in events {
      switch event.content {
      case .hidden(let digest):
        writer.arrayHeader(2)
        writer.raw(event.header)
        writer.digest(digest)
      case .shown(let salt, let body):
        writer.arrayHeader(3)
        writer.raw(event.header)
        writer.uniqueID(salt)
        writer.raw(body)
      }
    }
  }

  fileprivate init(from reader: inout CBORReader, in bytes: Span<UInt8>) throws(CBORError) {
    try reader.expectArray(of: 5)
    let place = reader.offset
    first = try reader.unsigned()
    time = try reader.unsigned()
    before = try reader.digest()
    if try reader.peek() == .null {
      try reader.null()
    } else {
      signature = try reader.byteString(count: 64)
    }
    events = []
    let count = try reader.countOfSome()
    guard first > 0, first < 1 << 62, UInt64(count) <= 1 << 62 - first else {
      throw .outOfRange(at: place)
    }
    for _ in 0..<count { events.append(try ProofEvent(from: &reader, in: bytes)) }
  }
}

extension ProofEvent {
  fileprivate init(from reader: inout CBORReader, in bytes: Span<UInt8>) throws(CBORError) {
    let place = reader.offset
    let count = try reader.arrayHeader()
    guard count == 2 || count == 3 else { throw .wrongLength(expected: 2, at: place) }
    header = bytes.copy(try reader.skip())
    if count == 2 {
      content = .hidden(try reader.digest())
    } else {
      let salt = try reader.uniqueID()
      content = .shown(salt: salt, body: bytes.copy(try reader.skip()))
    }
  }
}

extension CBORReader {
  @_lifetime(self: copy self)
  fileprivate mutating func expectArray(of count: Int) throws(CBORError) {
    let place = offset
    guard try arrayHeader() == count else { throw .wrongLength(expected: count, at: place) }
  }

  /// Reads the length of an array that must not be empty.
  @_lifetime(self: copy self)
  fileprivate mutating func countOfSome() throws(CBORError) -> Int {
    let place = offset
    let count = try arrayHeader()
    guard count > 0 else { throw .truncated(at: place) }
    return count
  }
}
