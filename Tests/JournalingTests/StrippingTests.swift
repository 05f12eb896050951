import Bytes
import Crypto
import Journaling
import Platform
import SimulatedPlatform
import TestDice
import Testing

/// Which parts of a frame are removed, and which stay.
struct StrippingTests {
  private static let other = UniqueID(high: 8, low: 8)
  private static let erase = Landmark(
    log: UniqueID(high: 4, low: 4), sequence: 9, hash: UniqueID(high: 5, low: 5))
  private static let later = Landmark(
    log: UniqueID(high: 6, low: 4), sequence: 7, hash: UniqueID(high: 5, low: 6))

  private static func body(_ write: (inout CBORWriter) -> Void) -> NewEvent {
    var writer = CBORWriter()
    write(&writer)
    return NewEvent(body: writer.bytes)
  }

  private static func add(_ text: String, owner: [UInt64]? = nil) -> NewEvent {
    body { writer in
      writer.arrayHeader(owner == nil ? 4 : 6)
      writer.unsigned(0)
      writer.unsigned(4)
      if let owner {
        writer.unsigned(1)
        writer.arrayHeader(owner.count)
        for number in owner { writer.unsigned(number) }
      }
      writer.unsigned(5)
      writer.text(text)
    }
  }

  private static func act(_ verb: UInt64, on target: [UInt64]) -> NewEvent {
    body { writer in
      writer.arrayHeader(2)
      writer.unsigned(verb)
      if target.count > 1 { writer.arrayHeader(2) }
      for number in target { writer.unsigned(number) }
    }
  }

  /// A log with the given events after its first event, and its only frame.
  private func frame(
    of events: [NewEvent], seed: UInt64 = 1
  ) throws -> (bench: Bench, frame: Frame) {
    let bench = try Bench(seed: seed)
    var journal = try bench.begun()
    let command = Command(time: Bench.start, events: events)
    _ = try journal.append([command], to: bench.log, keys: bench.keys)
    try journal.seal(bench.log, keys: bench.keys)
    var reader = try journal.reader(of: bench.log)
    return (bench, try #require(try reader.read()).frame)
  }

  private func stripping(
    _ frame: Frame, of log: UniqueID, _ entities: [EventName: Landmark]
  ) -> Stripping {
    var erasures = Erasures()
    erasures.merge(entities)
    let scope = ReferenceScope(of: log, table: [Self.other], forks: [:])
    return frame.stripping(erasures, in: scope)
  }

  @Test func `Stripping: exactly the events of an entity and of the entities it owns are found`()
    throws
  {
    let events = [
      Self.add("mine"), Self.act(1, on: [2]), Self.act(2, on: [2]), Self.act(3, on: [2]),
      Self.act(4, on: [2]), Self.act(12, on: [2]), Self.add("owned", owner: [2]),
      Self.act(1, on: [8]), Self.add("another"), Self.act(1, on: [10]), Self.act(1, on: [0, 3]),
      Self.add("owned elsewhere", owner: [0, 3]), Self.act(1, on: [1, 3]),
    ]
    let (bench, frame) = try frame(of: events)
    let here = EventName(log: bench.log, sequence: 2)
    let there = EventName(log: Self.other, sequence: 3)
    let found = stripping(frame, of: bench.log, [here: Self.erase, there: Self.later])
    var expected = Stripping()
    for sequence: UInt64 in [2, 3, 4, 5, 8, 9] { expected.bodies[sequence] = Self.erase }
    for sequence: UInt64 in [12, 13] { expected.bodies[sequence] = Self.later }
    expected.owned = [
      EventName(log: bench.log, sequence: 8): Self.erase,
      EventName(log: bench.log, sequence: 13): Self.later,
    ]
    #expect(found == expected)
  }

  @Test func `Stripping: if an owner is written twice, the second value counts`() throws {
    let twice = { (first: [UInt64], last: [UInt64]) in
      Self.body { writer in
        writer.arrayHeader(6)
        for number: UInt64 in [0, 4] { writer.unsigned(number) }
        for owner in [first, last] {
          writer.unsigned(1)
          if owner.isEmpty { writer.null() } else { writer.arrayHeader(owner.count) }
          for number in owner { writer.unsigned(number) }
        }
      }
    }
    let (bench, frame) = try frame(of: [Self.add("mine"), twice([2], []), twice([], [2])])
    let entity = EventName(log: bench.log, sequence: 2)
    let found = stripping(frame, of: bench.log, [entity: Self.erase])
    #expect(found.bodies == [2: Self.erase, 4: Self.erase])
  }

  @Test func `Stripping: an entity from before a branch is found in its trunk`() throws {
    let (bench, frame) = try frame(of: [Self.add("mine"), Self.act(1, on: [2])])
    let branch = UniqueID(high: 3, low: 3)
    let scope = ReferenceScope(
      of: branch, table: [], forks: [branch: Fork(trunk: bench.log, lastShared: 2)])
    var erasures = Erasures()
    erasures.insert(EventName(log: bench.log, sequence: 2), by: Self.erase)
    #expect(frame.stripping(erasures, in: scope).bodies == [2: Self.erase, 3: Self.erase])
    erasures = Erasures()
    erasures.insert(EventName(log: branch, sequence: 2), by: Self.erase)
    #expect(frame.stripping(erasures, in: scope).bodies.isEmpty)
  }

  @Test func `Stripping: an event with the sequence of an add erased on another branch is kept`()
    throws
  {
    let (bench, frame) = try frame(of: [Self.add("mine"), Self.act(1, on: [2])])
    let scope = ReferenceScope(of: bench.log, table: [], forks: [:])
    let entity = EventName(log: bench.log, sequence: 2)
    var meant = Erasures()
    meant.insert(entity, by: Self.erase, supposing: frame.events[1].hash.prefix16)
    #expect(frame.stripping(meant, in: scope).bodies == [2: Self.erase, 3: Self.erase])
    var other = Erasures()
    other.insert(entity, by: Self.erase, supposing: bench.log)
    var expected = Stripping()
    expected.spared = [entity]
    #expect(frame.stripping(other, in: scope) == expected)
    // If the adds of two other branches are erased, this add is kept as well.
    other.insert(entity, by: Self.later, supposing: UniqueID(high: 5, low: 5))
    #expect(frame.stripping(other, in: scope) == expected)
    other.spare([entity])
    #expect(other == Erasures())
  }

  @Test func `Stripping: of the adds erased on two branches, each one is erased by its own event`()
    throws
  {
    let (bench, frame) = try frame(of: [Self.add("mine"), Self.act(1, on: [2])])
    let scope = ReferenceScope(of: bench.log, table: [], forks: [:])
    let entity = EventName(log: bench.log, sequence: 2)
    let mine = frame.events[1].hash.prefix16
    for (first, second) in [(Self.erase, Self.later), (Self.later, Self.erase)] {
      var erasures = Erasures()
      erasures.insert(entity, by: first, supposing: mine)
      erasures.insert(entity, by: second, supposing: bench.log)
      #expect(frame.stripping(erasures, in: scope).bodies == [2: first, 3: first])
      var writer = CBORWriter()
      erasures.encode(to: &writer)
      var reader = CBORReader(writer.bytes.span)
      #expect(try Erasures(decoding: &reader) == erasures)
      // Once the device has one of the events, all events with this name are erased.
      erasures.insert(entity, by: second)
      #expect(erasures.supposed == [:])
    }
  }

  @Test func `Stripping: the first event of a log is never stripped`() throws {
    let (bench, frame) = try frame(of: [Self.add("mine")])
    let first = EventName(log: bench.log, sequence: 1)
    #expect(stripping(frame, of: bench.log, [first: Self.erase]) == Stripping())
  }

  @Test(arguments: 1...16 as ClosedRange<UInt64>)
  func `Stripping: the chain and the head stay, and bodies and seeds are removed`(
    seed: UInt64
  ) throws {
    var dice = Dice(seed: seed)
    let count = 1 + dice.number(150)
    let texts = (0..<count).map { "text \($0) of \(dice.number(1_000_000))" }
    let (bench, frame) = try frame(of: texts.map { Self.add($0) }, seed: seed)
    let share = dice.number(100)
    var bodies: [UInt64: Landmark] = [:]
    for sequence in 2...UInt64(count) + 1 where dice.chance(share) {
      bodies[sequence] = dice.chance(50) ? Self.erase : Self.later
    }
    let further: Set<UInt64> = dice.chance(50) ? [UInt64(dice.number(4))] : []
    var chain = Chain()
    let bytes = try #require(
      frame.stripped(of: bodies, salting: further, level: .quick, &chain))
    let stripped = try Frame.decode(bytes.span, at: 0, &chain)

    #expect(stripped.events.map(\.hash) == frame.events.map(\.hash))
    #expect(stripped.events.map(\.isStripped) == frame.events.map { bodies[$0.sequence] != nil })
    for event in stripped.events {
      #expect(stripped.strippedBody(of: event)?.erase == bodies[event.sequence])
    }
    let head = try #require(stripped.head)
    #expect(head == frame.head)
    #expect(
      head.proves(
        bench.log, upTo: try #require(stripped.events.last), by: bench.keys.signing.publicKey))
    let blocks = Set(bodies.keys.map(Chain.block(of:))).union(further)
    #expect(stripped.seededBlocks == frame.seededBlocks.subtracting(blocks))
    for (place, secrets) in frame.information.blocks.enumerated() {
      guard case .seed(let block) = secrets, blocks.contains(UInt64(place)) else { continue }
      let isTold = stripped.content.contains(block.bytes)
      #expect(!isTold)
    }
    for (place, text) in texts.enumerated() {
      let isThere = stripped.content.contains(Array(text.utf8))
      #expect(isThere == (bodies[UInt64(place) + 2] == nil))
    }

    // Stripping again removes nothing, and the explanation of a stripped body is kept.
    let all = Dictionary(uniqueKeysWithValues: bodies.keys.map { ($0, Self.later) })
    let again = try #require(stripped.stripped(of: all, salting: further, level: .quick, &chain))
    #expect(again == bytes)
  }
}

extension [UInt8] {
  /// Whether the array contains the bytes as a sequence.
  func contains(_ part: [UInt8]) -> Bool {
    guard let first = part.first, count >= part.count else { return false }
    let (bytes, last) = (span, count - part.count)
    var start = 0
    while start <= last {
      if bytes[start] == first, self[start..<start + part.count].elementsEqual(part) { return true }
      start += 1
    }
    return false
  }
}
