import Bytes
import Crypto

/// The state that is carried from event to event within a frame.
struct EventCheck {
  static let commandEvents: UInt64 = 16_384
  static let commandBytes = 640 << 10

  let salting: [FrameClaims.Salting]
  let first: UInt64
  /// The number of further events in the current command.
  var commandLeft: UInt64 = 0
  var commandBytes = 0
  /// The input of the salt's hash: the label, the block's seed and the event's number.
  var saltInput: [UInt8]
  /// The block whose seed is in ``saltInput``, counted from the first block of the frame.
  var seeded: Int?
  var salt: [UInt8] = Array(repeating: 0, count: 16)

  private static let label = Array("daybook salt v1".utf8)

  init(salting: [FrameClaims.Salting], first: UInt64) {
    self.salting = salting
    self.first = first
    saltInput = Self.label + [UInt8](repeating: 0, count: 24)
  }

  /// Sets ``salt`` for an event; returns false if the frame gives none.
  mutating func findSalt(of sequence: UInt64, _ hasher: inout SHA256) -> Bool {
    let block = FrameClaims.block(of: sequence)
    let place = Int(block - FrameClaims.block(of: first))
    switch salting[place] {
    case .salts(let salts):
      let start = max(first, block * FrameClaims.eventsPerBlock + 1)
      guard let given = salts[Int(sequence - start)] else { return false }
      salt.replace(at: 0, with: given)
    case .seed(let seed):
      if seeded != place {
        saltInput.replace(at: Self.label.count, with: seed)
        seeded = place
      }
      saltInput.replace(at: Self.label.count + 16, with: sequence)
      salt.replace(at: 0, with: hasher.digest(saltInput.span).prefix16)
    }
    return true
  }

  /// Whether the frame gives the event's salt, or the seed of its block.
  func hasSalt(of sequence: UInt64) -> Bool {
    let block = FrameClaims.block(of: sequence)
    switch salting[Int(block - FrameClaims.block(of: first))] {
    case .seed: return true
    case .salts(let salts):
      let start = max(first, block * FrameClaims.eventsPerBlock + 1)
      return salts[Int(sequence - start)] != nil
    }
  }
}

extension LogCheck {
  /// Checks the next event, and advances the chain to it.
  mutating func check(
    _ sequence: UInt64, _ reader: inout CBORReader, content: Span<UInt8>,
    events: inout EventCheck
  ) throws(CBORError) {
    guard var chain = chain.take() else { return }
    defer { self.chain = chain }
    let start = reader.offset
    let more = try checkHeader(&reader, sequence: sequence, content: content, chain: &chain)
    let header = start..<reader.offset
    let isStripped = try reader.peek() == .map
    let body = try reader.skip()
    // A stripped body does not count: it may be longer than the original.
    let size = header.count + (isStripped ? 0 : body.count)
    follow(more, size: size, sequence: sequence, &events)

    let salted: Digest
    var verb: UInt64?
    if isStripped {
      if events.hasSalt(of: sequence) { report(.salts, sequence: sequence) }
      let (digest, erase) = try Self.stripped(content, body)
      salted = digest
      if !isReplaced {
        log.stripped += 1
        stripped.append(StrippedEvent(sequence: sequence, erase: erase))
      }
      if sequence == 1 { report(.opening, sequence: 1) }
    } else {
      if !events.findSalt(of: sequence, &hasher) { report(.salts, sequence: sequence) }
      hasher.update(events.salt)
      salted = hasher.digest(content.extracting(body))
      verb = try checkBody(content.extracting(body), sequence: sequence)
    }
    // Inline bytes avoid allocating an array for each digest.
    let (before, inside) = (chain.hash.inlineBytes, salted.inlineBytes)
    hasher.update(before.span)
    hasher.update(content.extracting(header))
    chain.hash = hasher.digest(inside.span)
    chain.sequence = sequence
    mark(chain, endsCommand: events.commandLeft == 0)
    if isReplaced { return }
    if verb == Self.eraseVerb, Self.erases(content.extracting(body)) {
      erasures.append(EventMark(sequence: sequence, hash: chain.hash.prefix16))
    }
    if sequence == 1 { log.firstHash = chain.hash }
    if nextTestimony < testimonies.count { hear(sequence: sequence, hash: chain.hash) }
  }

  /// Adds an event to its command.
  private mutating func follow(
    _ more: UInt64?, size: Int, sequence: UInt64, _ events: inout EventCheck
  ) {
    if events.commandLeft > 0 {
      if more != nil { report(.command, sequence: sequence) }
      events.commandLeft -= 1
      events.commandBytes += size
    } else {
      events.commandLeft = more ?? 0
      events.commandBytes = size
      if events.commandLeft >= EventCheck.commandEvents { report(.command, sequence: sequence) }
    }
    if events.commandBytes > EventCheck.commandBytes {
      report(.command, sequence: sequence)
      // Report each oversized command once.
      events.commandBytes = .min / 2
    }
  }

  private static let eraseVerb: UInt64 = 12

  /// Reads `{0: salted digest, 1: [log, sequence, hash]}`; returns the digest and the `erase`.
  private static func stripped(
    _ content: Span<UInt8>, _ body: Range<Int>
  ) throws(CBORError) -> (digest: Digest, erase: EventMark) {
    var reader = CBORReader(content, at: body.lowerBound)
    guard body.count <= 1_024 else { throw .tooMany(at: body.lowerBound) }
    guard try reader.mapHeader() >= 2, try reader.unsigned() == 0 else {
      throw .truncated(at: body.lowerBound)
    }
    let digest = try reader.digest()
    let start = reader.offset
    guard try reader.unsigned() == 1, try reader.arrayHeader() == 3 else {
      throw .wrongLength(expected: 3, at: start)
    }
    _ = try reader.uniqueID()
    let sequence = try reader.unsigned()
    return (digest, EventMark(sequence: sequence, hash: try reader.uniqueID()))
  }

  /// - Returns: The verb, if there is one.
  private mutating func checkBody(
    _ body: Span<UInt8>, sequence: UInt64
  ) throws(CBORError) -> UInt64? {
    var reader = CBORReader(body)
    guard try reader.peek() == .array, try reader.arrayHeader() > 0,
      try reader.peek() == .unsigned
    else {
      report(.body, sequence: sequence)
      return nil
    }
    let verb = try reader.unsigned()
    if (sequence == 1) != (verb == 8) {
      report(.opening, sequence: sequence)
    } else if sequence == 1 {
      try checkOpening(body)
    }
    return verb
  }
}

extension [UInt8] {
  /// Writes a number as eight bytes, big-endian.
  fileprivate mutating func replace(at offset: Int, with number: UInt64) {
    for place in 0..<8 {
      self[offset + place] = UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * place))
    }
  }

  fileprivate mutating func replace(at offset: Int, with id: UniqueID) {
    replace(at: offset, with: id.high)
    replace(at: offset + 8, with: id.low)
  }
}
