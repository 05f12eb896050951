import Bytes

/// Which bodies of a frame an erasure takes, and what is learnt from the frame.
package struct Stripping: Hashable, Sendable {
  /// Events whose bodies are to go, each with the `erase` that asks for it.
  package var bodies: [UInt64: Landmark] = [:]
  /// Events whose bodies are gone, each with the `erase` said to have taken it.
  package var standing: [UInt64: Landmark] = [:]
  /// Entities erased because an erased one owns them.
  package var owned: [EventName: Landmark] = [:]
  /// Entities that were taken for erased, and are others of another branch.
  package var spared: Set<EventName> = []

  package init() {}
}

/// What a body of the domain is about, as far as erasing depends on it.
///
/// A log's first event, aliases, trust events and markers are about no entity, and so are never taken.
enum BodySubject: Hashable, Sendable {
  /// It adds an entity, which another may own.
  case birth(owner: Reference?)
  /// It edits, deletes or restores an entity.
  case entity(Reference)

  /// Reads a body, or gives nil for one that no erasure takes.
  init?(_ body: Span<UInt8>) {
    do throws(CBORError) {
      guard let subject = try Self.read(body) else { return nil }
      self = subject
    } catch {
      // It makes no sense, so it names nothing.
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
        // Of a field that is written twice the last write counts.
        if isOwner { owner = nil }
      }
    }
    return owner
  }

  /// Reads a reference as it stands as a value: an array of one number or two.
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
  /// What an erasure asks of this frame's events.
  ///
  /// The scope is what the log's references lead to at the frame's start.
  package func stripping(_ erasures: Erasures, in scope: ReferenceScope) -> Stripping {
    var (erasures, scope, stripping) = (erasures, scope, Stripping())
    for event in events {
      if event.namesOthers {
        // A header that was read once can be read again.
        scope.introduce((try? header(of: event))?.introduced ?? [])
      }
      if event.isStripped {
        stripping.standing[event.sequence] = strippedBody(of: event)?.erase
        continue
      }
      guard let subject = BodySubject(content.span.extracting(event.body)) else { continue }
      switch subject {
      case .entity(let target):
        // Where a branch is in doubt, rather too much is forgotten than too little.
        stripping.bodies[event.sequence] =
          scope.events(at: target).lazy.compactMap { erasures[$0] }.first
      case .birth(let owner):
        let entity = scope.event(at: event.sequence)
        if let add = erasures.supposed[entity], add != event.hash.prefix16 {
          stripping.spared.insert(entity)
          erasures.spare([entity])
        }
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

  /// The entities that the frame's events are about, and those that own what they add.
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

  /// What stands in the place of an event's body, where it was stripped.
  package func strippedBody(of event: EventRecord) -> StrippedBody? {
    guard event.isStripped else { return nil }
    var reader = CBORReader(content.span, at: event.body.lowerBound)
    // The frame was checked when it was read.
    return try? StrippedBody.decode(&reader)
  }

  /// The blocks that the frame's events touch and whose seed it tells.
  package var seededBlocks: Set<UInt64> { blocks { if case .seed = $0 { true } else { false } } }

  /// The blocks of which the frame tells salts and no seed.
  package var saltedBlocks: Set<UInt64> { blocks { if case .salts = $0 { true } else { false } } }

  private func blocks(where isMeant: (BlockSecrets) -> Bool) -> Set<UInt64> {
    let numbers = Chain.block(of: firstSequence)...Chain.block(of: lastSequence)
    return Set(zip(numbers, information.blocks).filter { isMeant($0.1) }.map(\.0))
  }

  /// The frame as it is packed without some bodies, and without the seeds of their blocks.
  ///
  /// Chain and head are what they were.
  ///
  /// - Parameters:
  ///   - bodies: The events whose bodies go, each with the `erase` that takes it.
  ///   - blocks: Further blocks that must not keep their seeds.
  ///   - level: The compression level.
  ///   - chain: Computes the salts.
  /// - Returns: nil when it would be larger than frames may be, as only one of more events than are written can be.
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
