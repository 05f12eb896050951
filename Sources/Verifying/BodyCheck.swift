import Bytes
import Crypto

/// Checks the bodies of a log's events.
struct BodyCheck {
  /// The parts of a body that verification depends on.
  enum Content {
    case stripped(erase: EventMark)
    /// A valid `open`, with the public key of the log.
    case opening(PublicKey)
    /// An `erase` event that can explain missing bodies.
    case erase
    case other
  }

  private static let eraseVerb: UInt64 = 12
  private static let openVerb: UInt64 = 8

  let replica: UniqueID

  /// Checks a body that is not stripped.
  func check(
    _ body: Span<UInt8>, sequence: UInt64, _ hasher: inout SHA256, _ faults: inout FaultCollector
  ) throws(CBORError) -> Content {
    var reader = CBORReader(body)
    guard try reader.peek() == .array, try reader.arrayHeader() > 0,
      try reader.peek() == .unsigned
    else {
      faults.report(.body, sequence: sequence)
      return .other
    }
    let verb = try reader.unsigned()
    if (sequence == 1) != (verb == Self.openVerb) {
      faults.report(.opening, sequence: sequence)
    } else if sequence == 1 {
      return try openingKey(body, &hasher, &faults).map(Content.opening) ?? .other
    }
    return verb == Self.eraseVerb && Self.erases(body) ? .erase : .other
  }

  /// Checks the body `[8, public key, agreement key, incarnation, name]` of a log's first event.
  private func openingKey(
    _ body: Span<UInt8>, _ hasher: inout SHA256, _ faults: inout FaultCollector
  ) throws(CBORError) -> PublicKey? {
    var reader = CBORReader(body)
    guard try reader.arrayHeader() >= 5 else {
      faults.report(.opening, sequence: 1)
      return nil
    }
    _ = try reader.unsigned()
    let publicKey = try reader.byteString(count: 32)
    let agreement = try reader.byteString(count: 32)
    let incarnation = try reader.byteString(count: 16)
    _ = try reader.text()

    hasher.update(Array("daybook replica v1".utf8))
    hasher.update(publicKey)
    hasher.update(incarnation)
    if hasher.finish().prefix16 != replica { faults.report(.replica, sequence: 1) }
    do throws(CryptoError) {
      try AgreementKey.check(agreement)
      return try PublicKey(publicKey)
    } catch {
      faults.report(.opening, sequence: 1)
      return nil
    }
  }

  /// Reads `{0: salted digest, 1: [log, sequence, hash]}`; returns the digest and the `erase`.
  static func stripped(
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

  /// Whether the body of an `erase` names an event, so that the `erase` can explain missing bodies.
  ///
  /// Other fields are not checked, because an invalid `erase` has no effect and is not damage.
  private static func erases(_ body: Span<UInt8>) -> Bool {
    var reader = CBORReader(body)
    do throws(CBORError) {
      guard try reader.arrayHeader() >= 2, try reader.unsigned() == eraseVerb else { return false }
      if try reader.peek() == .array {
        guard try reader.arrayHeader() == 2 else { return false }
        _ = try reader.unsigned()
      }
      return (1..<1 << 62).contains(try reader.unsigned())
    } catch {
      return false
    }
  }
}
