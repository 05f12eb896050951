import Bytes
import Crypto

extension LogCheck {
  /// Checks all contents of a frame.
  mutating func check(_ frame: borrowing StoredFrame, mustHaveTable: Bool, mustHaveHead: Bool) {
    offset = frame.offset
    log.frames += 1
    let isRepeated = compareRange(of: frame)
    let before = chain
    do throws(CBORError) {
      let content = frame.content.span
      var reader = CBORReader(content)
      let claims = try FrameClaims(&reader, bytes: content, events: frame.first...frame.last)
      join(claims, of: frame, mustHaveTable: mustHaveTable)
      compareSalting(claims, of: frame)
      try checkEvents(&reader, of: frame, salting: claims.blocks)
      if !reader.isAtEnd {
        try checkHead(&reader)
      } else if mustHaveHead {
        report(.headMissing)
      }
      try reader.finish()
    } catch {
      report(.encoding(error))
    }
    // A frame of repeated events does not move the end of the log.
    if isRepeated, let before { chain = before } else { testify(at: frame) }
  }

  /// Reports missing events before a frame and repeated events; returns whether all of its events are repeated.
  private mutating func compareRange(of frame: borrowing StoredFrame) -> Bool {
    guard let chain else { return false }
    let expected = chain.sequence + 1
    if frame.first > expected { report(missing: expected...frame.first - 1) }
    guard frame.first < expected else { return false }
    report(.repeated(frame.first...min(frame.last, chain.sequence)))
    return frame.last <= chain.sequence
  }

  private mutating func testify(at frame: borrowing StoredFrame) {
    guard let chain else { return }
    if isReplaced {
      let place = Fault(
        file: file, offset: frame.offset, kind: .disagreement(sequence: chain.sequence))
      testimonies.append(Testimony(sequence: chain.sequence, hash: chain.hash, place: place))
    } else {
      (log.last, log.hash) = (chain.sequence, chain.hash)
    }
  }

  private mutating func checkEvents(
    _ reader: inout CBORReader, of frame: borrowing StoredFrame, salting: [FrameClaims.Salting]
  ) throws(CBORError) {
    var events = EventCheck(salting: salting, first: frame.first)
    for sequence in frame.first...frame.last {
      try check(sequence, &reader, content: frame.content.span, events: &events)
    }
    if events.commandLeft > 0 { report(.command, sequence: frame.last) }
    if !isReplaced {
      log.events += frame.count
      checked(UInt64(frame.count))
    }
  }

  /// Reads the head that ends a frame.
  private mutating func checkHead(_ reader: inout CBORReader) throws(CBORError) {
    guard let chain else { return }
    let start = reader.offset
    // Skipping the map checks its encoding, including the order of keys.
    var ahead = reader
    guard try ahead.skip().count <= 1_024 else { throw .tooMany(at: start) }
    var signature: [UInt8]?
    if try reader.mapHeader() > 0, try reader.peek() == .unsigned, try reader.unsigned() == 0 {
      signature = try reader.byteString(count: 64)
    }
    reader = ahead
    guard let signature else { return report(.head, sequence: chain.sequence) }
    hasher.update(Array("daybook head v1".utf8))
    hasher.update(id.bytes)
    hasher.update(chain.sequence.bigEndianBytes)
    hasher.update(chain.time.bigEndianBytes)
    hasher.update(chain.hash.bytes)
    let head = OpenHead(
      place: Fault(file: file, offset: offset, sequence: chain.sequence, kind: .head),
      message: hasher.finish().bytes, signature: signature)
    if let key { settle(head, with: key) } else { openHeads.append(head) }
  }
}

extension UInt64 {
  fileprivate var bigEndianBytes: [UInt8] {
    stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> UInt64($0)) }
  }
}
