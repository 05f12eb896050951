import Bytes

/// The bodies that an erasure removes from a frame, and what the frame shows about other entities.
package struct Stripping: Hashable, Sendable {
  /// The events whose bodies must be removed, each with the `erase` event that requires it.
  package var bodies: [UInt64: Landmark] = [:]
  /// The events whose bodies were removed earlier, each with the `erase` event named in the stripped body.
  package var standing: [UInt64: Landmark] = [:]
  /// The entities that are erased because an erased entity owns them.
  package var owned: [EventName: Landmark] = [:]
  /// The entities that were assumed to be erased, but belong to a different branch.
  package var spared: Set<EventName> = []

  package init() {}
}

/// The part of a body that determines whether an erasure removes it.
///
/// The first event of a log, aliases, trust events and markers refer to no entity, so their bodies are never removed.
enum BodySubject: Hashable, Sendable {
  /// The event adds an entity, which another entity may own.
  case birth(owner: Reference?)
  /// The event edits, deletes or restores an entity.
  case entity(Reference)

  /// Reads a body; nil if no erasure can remove it.
  init?(_ body: Span<UInt8>) {
    do throws(CBORError) {
      guard let subject = try Self.read(body) else { return nil }
      self = subject
    } catch {
      // An invalid body refers to no entity.
      return nil
    }
  }

  private static let ownerField: Int64 = 1

  private static func read(_ body: Span<UInt8>) throws(CBORError) -> BodySubject? {
    var reader = CBORReader(body)
    let count = try reader.arrayHeader()
    guard count >= 2 else { return nil }
    switch try reader.unsigned() {
    case 0:
      _ = try reader.unsigned()
      return .birth(owner: try owner(&reader, fields: count / 2 - 1))
    case 1, 2, 3: return .entity(try Reference.decode(&reader))
    default: return nil
    }
  }

  @_lifetime(reader: copy reader)
  private static func owner(
    _ reader: inout CBORReader, fields: Int
  ) throws(CBORError) -> Reference? {
    var owner: Reference?
    for _ in 0..<max(0, fields) {
      let kind = try reader.peek()
      guard kind == .unsigned || kind == .negative else { return owner }
      let isOwner = try reader.integer() == ownerField
      if isOwner, try reader.peek() == .array {
        owner = try reference(&reader)
      } else {
        _ = try reader.skip()
        // If a field is written twice, the last value is used.
        if isOwner { owner = nil }
      }
    }
    return owner
  }

  /// Reads a reference that is the value of a field, encoded as an array of one or two numbers.
  @_lifetime(reader: copy reader)
  private static func reference(_ reader: inout CBORReader) throws(CBORError) -> Reference? {
    var item = reader
    _ = try reader.skip()
    let count = try item.arrayHeader()
    guard (1...2).contains(count), try item.peek() == .unsigned else { return nil }
    let first = try item.unsigned()
    guard count == 2 else { return Reference(sequence: first) }
    guard try item.peek() == .unsigned else { return nil }
    return Reference(index: first, sequence: try item.unsigned())
  }
}

extension Frame {
  /// Determines which bodies of this frame an erasure removes.
  ///
  /// The scope resolves the references of the log as of the start of the frame.
  package func stripping(_ erasures: Erasures, in scope: ReferenceScope) -> Stripping {
    var (erasures, scope, stripping) = (erasures, scope, Stripping())
    for event in events {
      if event.namesOthers {
        // The header has already been decoded, so this cannot fail.
        scope.introduce((try? header(of: event))?.introduced ?? [])
      }
      if event.isStripped {
        stripping.standing[event.sequence] = strippedBody(of: event)?.erase
        continue
      }
      guard let subject = BodySubject(content.span.extracting(event.body)) else { continue }
      switch subject {
      case .entity(let target):
        // If a reference matches events of several branches, the body is removed if any of them is erased.
        stripping.bodies[event.sequence] =
          scope.events(at: target).lazy.compactMap { erasures[$0] }.first
      case .birth(let owner):
        let entity = scope.event(at: event.sequence)
        if erasures.spares(entity, hash: event.hash.prefix16) { stripping.spared.insert(entity) }
        let owners = owner.map(scope.events) ?? []
        if erasures[entity] == nil, let erase = owners.lazy.compactMap({ erasures[$0] }).first {
          erasures.insert(entity, by: erase)
          stripping.owned[entity] = erase
        }
        stripping.bodies[event.sequence] = erasures[entity]
      }
    }
    return stripping
  }

  /// The entities that the events of the frame refer to, and the owners of the entities that they add.
  func subjects(in scope: ReferenceScope) -> Set<EventName> {
    var (scope, entities) = (scope, Set<EventName>())
    scope.introduce(introduced)
    for event in events where !event.isStripped {
      switch BodySubject(content.span.extracting(event.body)) {
      case .entity(let reference)?, .birth(let reference?)?:
        entities.formUnion(scope.events(at: reference))
      case .birth(nil)?, nil: continue
      }
    }
    return entities
  }

  /// The replacement of the given event's body; nil if the body was not stripped.
  package func strippedBody(of event: EventRecord) -> StrippedBody? {
    guard event.isStripped else { return nil }
    var reader = CBORReader(content.span, at: event.body.lowerBound)
    // The body was already decoded when the frame was checked.
    return try? StrippedBody.decode(&reader)
  }

  /// The blocks for which the frame contains the seed.
  package var seededBlocks: Set<UInt64> { blocks { if case .seed = $0 { true } else { false } } }

  /// The blocks for which the frame contains salts instead of the seed.
  package var saltedBlocks: Set<UInt64> { blocks { if case .salts = $0 { true } else { false } } }

  private func blocks(where isMeant: (BlockSecrets) -> Bool) -> Set<UInt64> {
    let numbers = Chain.block(of: firstSequence)...Chain.block(of: lastSequence)
    return Set(zip(numbers, information.blocks).filter { isMeant($0.1) }.map(\.0))
  }

  /// Packs the frame without the given bodies, and without the seeds of their blocks.
  ///
  /// The chain hashes and the head do not change.
  ///
  /// - Parameters:
  ///   - bodies: The events whose bodies are removed, each with the `erase` event that removes it.
  ///   - blocks: Other blocks whose seeds are removed.
  ///   - level: The compression level.
  ///   - chain: Computes the salts.
  /// - Returns: The bytes, or nil if they would exceed the size limit. Only a frame with more events than daybook ever
  ///   writes into one can exceed the limit.
  package func stripped(
    of bodies: [UInt64: Landmark], salting blocks: Set<UInt64>, level: PackingLevel,
    _ chain: inout Chain
  ) -> [UInt8]? {
    var secrets = SecretRun(of: self)
    var bodyDigests: [UInt64: Digest] = [:]
    for event in events where !event.isStripped && bodies[event.sequence] != nil {
      guard let salt = secrets.salt(of: event.sequence, &chain) else { continue }
      bodyDigests[event.sequence] = chain.salted(
        content.span.extracting(event.body), salt: salt)
    }
    let affected = blocks.union(bodyDigests.keys.map(Chain.block(of:)))
    secrets.forgetSeeds(of: affected, saltsOf: Set(bodyDigests.keys), &chain)
    var writer = CBORWriter()
    var information = information
    information.blocks = secrets.blocks
    information.encode(to: &writer)
    for event in events {
      writer.raw(content.span.extracting(event.header))
      if let digest = bodyDigests[event.sequence], let erase = bodies[event.sequence] {
        writer.raw(StrippedBody(digest: digest, erase: erase).encode())
      } else {
        writer.raw(content.span.extracting(event.body))
      }
    }
    if let head { writer.raw(head.encoded) }
    let envelope = FrameEnvelope(
      length: 0, firstSequence: firstSequence, count: events.count, replica: replica)
    return envelope.packing(
      writer.bytes, level: level, limit: information.blocks.frameLimit)
  }
}
