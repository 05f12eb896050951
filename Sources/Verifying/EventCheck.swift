import Bytes
import Crypto

/// Checks the events of one frame in order.
struct EventCheck {
  private let bodies: BodyCheck
  private var salts: SaltFinder
  private var command = CommandCheck()

  init(of replica: UniqueID, salting: [FrameClaims.Salting], first: UInt64) {
    bodies = BodyCheck(replica: replica)
    salts = SaltFinder(salting, first: first)
  }

  /// Whether the last event ended its command.
  var isBetweenCommands: Bool { command.isBetweenCommands }

  /// Checks the next event, and advances the chain to it.
  mutating func check(
    _ sequence: UInt64, _ reader: inout CBORReader, content: Span<UInt8>, chain: inout ChainState,
    _ hasher: inout SHA256, _ faults: inout FaultCollector
  ) throws(CBORError) -> BodyCheck.Content {
    let start = reader.offset
    let more = try chain.readHeader(&reader, sequence: sequence, content: content, &faults)
    let header = start..<reader.offset
    let isStripped = try reader.peek() == .map
    let body = try reader.skip()
    // A stripped body is not counted, because it may be longer than the original body.
    let size = header.count + (isStripped ? 0 : body.count)
    command.add(more, size: size, sequence: sequence, &faults)

    let salted: Digest
    let found: BodyCheck.Content
    if isStripped {
      if salts.hasSalt(for: sequence) { faults.report(.salts, sequence: sequence) }
      let (digest, erase) = try BodyCheck.stripped(content, body)
      (salted, found) = (digest, .stripped(erase: erase))
      if sequence == 1 { faults.report(.opening, sequence: 1) }
    } else {
      if !salts.find(for: sequence, &hasher) { faults.report(.salts, sequence: sequence) }
      hasher.update(salts.salt)
      salted = hasher.digest(content.extracting(body))
      found = try bodies.check(
        content.extracting(body), sequence: sequence, &hasher, &faults)
    }
    // Inline bytes avoid allocating an array for each digest.
    let (before, inside) = (chain.hash.inlineBytes, salted.inlineBytes)
    hasher.update(before.span)
    hasher.update(content.extracting(header))
    chain.hash = hasher.digest(inside.span)
    chain.sequence = sequence
    return found
  }
}
