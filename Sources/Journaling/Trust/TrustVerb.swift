package import Bytes
package import Crypto

/// The content of an event about membership or erasure.
package enum TrustVerb: Hashable, Sendable {
  /// A device begins its log.
  case open(Opening)
  /// Admits a key and names its device.
  ///
  /// The naming is the number of earlier namings of the key that the author had seen. The highest naming decides the
  /// name. The route states how the device was admitted.
  case admit(PublicKey, name: String, naming: UInt64 = 0, route: AdmissionRoute? = nil)
  /// Revokes a key; in its logs, only the events up to the landmarks count.
  case revoke(PublicKey, kept: [Landmark])
  /// The device has abandoned another log or branch; the landmark is the last event there that it claims to have
  /// written.
  case retire(Landmark)
  /// Erases the entity that the given event added.
  ///
  /// The value `add` is the first 16 bytes of the chain hash at that event. It distinguishes the event from an event
  /// with the same sequence in another branch. Old versions do not write this value.
  case erase(Reference, add: UniqueID? = nil)
}

/// The first event of a log, with the identity of its writer.
package struct Opening: Hashable, Sendable {
  package var publicKey: PublicKey
  /// The device's X25519 key of 32 bytes, which is used to encrypt data for the device.
  package var agreement: [UInt8]
  package var incarnation: UniqueID
  /// The name that the device uses for itself.
  package var name: String

  package init(publicKey: PublicKey, agreement: [UInt8], incarnation: UniqueID, name: String) {
    precondition(agreement.count == 32, "an X25519 key is 32 bytes")
    self.publicKey = publicKey
    self.agreement = agreement
    self.incarnation = incarnation
    self.name = name
  }
}

/// One event of a log or branch, identified by its hash.
package struct Landmark: Hashable, Sendable {
  package var log: UniqueID
  package var sequence: UInt64
  /// The first 16 bytes of the chain hash at the event.
  package var hash: UniqueID

  package init(log: UniqueID, sequence: UInt64, hash: UniqueID) {
    self.log = log
    self.sequence = sequence
    self.hash = hash
  }

  /// Identifies an event without the id of its log or branch.
  package struct Mark: Hashable, Sendable {
    package let sequence: UInt64
    package let hash: UniqueID

    package init(sequence: UInt64, hash: UniqueID) {
      self.sequence = sequence
      self.hash = hash
    }
  }

  package var mark: Mark { Mark(sequence: sequence, hash: hash) }
}

extension TrustVerb {
  package var verb: JournalVerb {
    switch self {
    case .open: .open
    case .admit: .admit
    case .revoke: .revoke
    case .retire: .retire
    case .erase: .erase
    }
  }

  /// Encodes the body of the event.
  package func encode() -> [UInt8] {
    var writer = CBORWriter()
    switch self {
    case .open(let opening):
      writer.begin(.open, items: 5)
      writer.byteString(opening.publicKey.bytes)
      writer.byteString(opening.agreement)
      writer.uniqueID(opening.incarnation)
      writer.text(opening.name)
    case .admit(let key, let name, let naming, let route):
      writer.begin(.admit, items: 3 + (naming == 0 ? 0 : 1) + (route == nil ? 0 : 1))
      writer.byteString(key.bytes)
      writer.text(name)
      if naming > 0 { writer.unsigned(naming) }
      route?.encode(to: &writer)
    case .revoke(let key, let kept):
      writer.begin(.revoke, items: 3)
      writer.byteString(key.bytes)
      writer.arrayHeader(kept.count)
      for landmark in kept {
        writer.arrayHeader(3)
        writer.landmark(landmark)
      }
    case .retire(let landmark):
      writer.begin(.retire, items: 4)
      writer.landmark(landmark)
    case .erase(let target, let add):
      writer.begin(.erase, items: add == nil ? 2 : 3)
      target.encode(to: &writer)
      if let add { writer.uniqueID(add) }
    }
    return writer.bytes
  }

  /// Decodes the body of an event; nil if it is not the body of a trust event.
  ///
  /// Any items beyond the known ones come from a newer version and are skipped.
  ///
  /// - Throws: ``CBORError`` if the body cannot be decoded. ``JournalBody`` defines the consequences.
  package static func decode(_ body: Span<UInt8>) throws(CBORError) -> TrustVerb? {
    var reader = CBORReader(body)
    guard try reader.peek() == .array else { return nil }
    let count = try reader.arrayHeader()
    guard count > 0, let verb = JournalVerb(rawValue: try reader.unsigned()) else { return nil }
    let items: Int
    switch verb {
    case .begin, .end, .observe: return nil
    case .open: items = 5
    case .retire: items = 4
    case .admit, .revoke: items = 3
    case .erase: items = 2
    }
    guard count >= items else { throw .truncated(at: reader.offset) }
    var trust = try decode(verb, from: &reader)
    var taken = items
    // Items with a different shape come from a newer version.
    if case .admit(let key, let name, _, _) = trust {
      var naming: UInt64 = 0
      if taken < count, try reader.peek() == .unsigned {
        naming = try reader.unsigned()
        taken += 1
      }
      let route = taken < count ? reader.takeAdmissionRoute() : nil
      if route != nil { taken += 1 }
      trust = .admit(key, name: name, naming: naming, route: route)
    }
    if case .erase(let target, _) = trust, count > items, let add = reader.takeUniqueID() {
      trust = .erase(target, add: add)
      taken += 1
    }
    for _ in taken..<count { _ = try reader.skip() }
    try reader.finish()
    return trust
  }

  private static func decode(
    _ verb: JournalVerb, from reader: inout CBORReader
  ) throws(CBORError) -> TrustVerb? {
    switch verb {
    case .open:
      let publicKey = try reader.publicKey()
      let agreement = try reader.agreementKey()
      let incarnation = try reader.uniqueID()
      return .open(
        Opening(
          publicKey: publicKey, agreement: agreement, incarnation: incarnation,
          name: try reader.text()))
    case .admit:
      let key = try reader.publicKey()
      return .admit(key, name: try reader.text())
    case .revoke:
      let key = try reader.publicKey()
      var kept: [Landmark] = []
      for _ in 0..<(try reader.arrayHeader()) {
        let start = reader.offset
        guard try reader.arrayHeader() == 3 else { throw .wrongLength(expected: 3, at: start) }
        kept.append(try reader.landmark())
      }
      return .revoke(key, kept: kept)
    case .retire: return .retire(try reader.landmark())
    case .erase:
      let place = reader.offset
      let target = try Reference.decode(&reader)
      guard target.isInRange else { throw .outOfRange(at: place) }
      return .erase(target)
    case .begin, .end, .observe: return nil
    }
  }
}

extension CBORWriter {
  mutating func begin(_ verb: JournalVerb, items: Int) {
    arrayHeader(items)
    unsigned(verb.rawValue)
  }

  /// Writes the three items of a landmark, without an array around them.
  package mutating func landmark(_ landmark: Landmark) {
    uniqueID(landmark.log)
    unsigned(landmark.sequence)
    uniqueID(landmark.hash)
  }
}

extension CBORReader {
  @_lifetime(self: copy self)
  fileprivate mutating func publicKey() throws(CBORError) -> PublicKey {
    let place = offset
    let bytes = try byteString(count: PublicKey.byteCount)
    do throws(CryptoError) { return try PublicKey(bytes) } catch { throw .outOfRange(at: place) }
  }

  @_lifetime(self: copy self)
  fileprivate mutating func agreementKey() throws(CBORError) -> [UInt8] {
    let place = offset
    let bytes = try byteString(count: 32)
    do throws(CryptoError) { try AgreementKey.check(bytes) } catch { throw .outOfRange(at: place) }
    return bytes
  }

  /// Reads an id if it is the next item.
  @_lifetime(self: copy self)
  fileprivate mutating func takeUniqueID() -> UniqueID? {
    var ahead = self
    guard let id = try? ahead.uniqueID() else { return nil }
    self = ahead
    return id
  }

  /// Reads the three items that ``CBORWriter/landmark(_:)`` writes.
  @_lifetime(self: copy self)
  package mutating func landmark() throws(CBORError) -> Landmark {
    let log = try uniqueID()
    let place = offset
    let sequence = try unsigned()
    guard (1..<Limit.lastSequence).contains(sequence) else { throw .outOfRange(at: place) }
    return Landmark(log: log, sequence: sequence, hash: try uniqueID())
  }
}
