import Bytes
import Platform

/// The salts or seeds of consecutive events, by block.
struct SecretRun: Hashable, Sendable {
  private(set) var first: UInt64
  private(set) var last: UInt64
  private(set) var blocks: [BlockSecrets]

  /// Creates an empty run, whose first event will be `first`.
  init(from first: UInt64) {
    self.first = first
    last = first - 1
    blocks = []
  }

  init(of frame: Frame) {
    first = frame.firstSequence
    last = frame.lastSequence
    blocks = frame.information.blocks
  }

  /// Adds the secrets of the events that follow the run.
  ///
  /// If both runs contain events of the same block but not the same seed for it, salts replace the seeds.
  mutating func append(_ other: SecretRun, _ chain: inout Chain) {
    precondition(other.first == last + 1, "runs follow each other")
    guard other.last >= other.first else { return }
    var added = other.blocks[...]
    let shared = Chain.block(of: other.first)
    if last >= first, Chain.block(of: last) == shared, let mine = blocks.last,
      let others = added.popFirst()
    {
      if case .seed = mine, mine == others {
      } else {
        let begin = max(first, Chain.first(ofBlock: shared))
        let end = min(other.last, Chain.first(ofBlock: shared + 1) - 1)
        blocks[blocks.count - 1] = .salts(
          mine.salts(of: begin...last, &chain) + others.salts(of: other.first...end, &chain))
      }
    }
    blocks += added
    last = other.last
  }

  /// Adds a new event, and returns its salt.
  ///
  /// A new block gets a new seed. If an `erase` has removed the seed of the block, a random salt is used. `open`
  /// contains the secrets of the log's last block before this run.
  mutating func append(
    _ sequence: UInt64, open: BlockSecrets?, _ dice: any Dice, _ chain: inout Chain
  ) -> UniqueID {
    precondition(sequence == last + 1, "salts are added at the end of a run")
    let block = Chain.block(of: sequence)
    let isBegun = last >= first && Chain.block(of: last) == block
    let isOpen = sequence > Chain.first(ofBlock: block)
    last = sequence
    switch isBegun ? blocks.removeLast() : isOpen ? open : nil {
    case .seed(let seed)?:
      blocks.append(.seed(seed))
      return chain.salt(seed: seed, sequence: sequence)
    case .salts(let salts)?:
      let salt = UniqueID(dice.bytes(16))
      blocks.append(.salts((isBegun ? salts : []) + [salt]))
      return salt
    case nil:
      let seed = UniqueID(dice.bytes(16))
      blocks.append(.seed(seed))
      return chain.salt(seed: seed, sequence: sequence)
    }
  }

  /// The secrets of the events starting at `start`.
  func dropping(before start: UInt64) -> SecretRun {
    guard start > first else { return self }
    var rest = self
    let block = Chain.block(of: start)
    rest.blocks.removeFirst(Int(block - Chain.block(of: first)))
    if case .salts(let salts)? = rest.blocks.first {
      let begin = max(first, Chain.first(ofBlock: block))
      rest.blocks[0] = .salts(Array(salts.dropFirst(Int(start - begin))))
    }
    rest.first = start
    return rest
  }

  /// The secrets of the events up to `end`.
  func dropping(after end: UInt64) -> SecretRun {
    guard end < last else { return self }
    var rest = self
    let block = Chain.block(of: end)
    rest.blocks.removeLast(Int(Chain.block(of: last) - block))
    if case .salts(let salts)? = rest.blocks.last {
      let begin = max(first, Chain.first(ofBlock: block))
      rest.blocks[rest.blocks.count - 1] = .salts(Array(salts.prefix(Int(end - begin + 1))))
    }
    rest.last = end
    return rest
  }
}

extension SecretRun {
  /// The salt of one event; nil if its body was stripped.
  func salt(of sequence: UInt64, _ chain: inout Chain) -> UniqueID? {
    let block = Chain.block(of: sequence)
    switch blocks[Int(block - Chain.block(of: first))] {
    case .seed(let seed): return chain.salt(seed: seed, sequence: sequence)
    case .salts(let salts): return salts[Int(sequence - events(of: block).lowerBound)]
    }
  }

  /// Replaces the seeds of the given blocks with salts, and leaves out the salts of the forgotten events.
  mutating func forgetSeeds(
    of affected: Set<UInt64>, saltsOf forgotten: Set<UInt64>, _ chain: inout Chain
  ) {
    for (place, secrets) in blocks.enumerated() {
      let block = Chain.block(of: first) + UInt64(place)
      guard affected.contains(block) else { continue }
      let events = events(of: block)
      let salts = secrets.salts(of: events, &chain)
      blocks[place] = .salts(
        zip(events, salts).map { forgotten.contains($0) ? nil : $1 })
    }
  }

  /// The events of the run that are in a block.
  private func events(of block: UInt64) -> ClosedRange<UInt64> {
    max(first, Chain.first(ofBlock: block))...min(last, Chain.first(ofBlock: block + 1) - 1)
  }
}
