/// Where the first entity of each kind and source stands.
///
/// It holds places and half of the hashes of the entities' names; the rest is looked up in the table that it belongs to.
/// A dictionary would hold each name once more, which is most of what it costs to fill it.
struct SourceIndex: Sendable {
  /// What an entity is called at its source.
  struct Name: Hashable {
    let kind: Kind
    let source: Source

    /// What is kept of its hash.
    fileprivate var half: UInt64 { UInt64(UInt(bitPattern: hashValue)) >> 32 }
  }

  /// Half of a name's hash above the place of its entity, counted from 1; 0 where there is none.
  ///
  /// A name lies where the half leads to, or in the next slot that was free: at least a quarter of them are.
  fileprivate var slots = [UInt64](repeating: 0, count: 16)
  private var count = 0

  init() {}

  mutating func reserveCapacity(_ names: Int) {
    while names > Self.most(in: slots.count) { grow() }
  }

  fileprivate mutating func makeRoom() {
    if count == Self.most(in: slots.count) { grow() }
  }

  fileprivate mutating func put(_ place: Int, _ half: UInt64, in slot: Int) {
    slots[slot] = half << 32 | UInt64(place + 1)
    count += 1
  }

  private mutating func grow() {
    let old = slots
    slots = [UInt64](repeating: 0, count: 2 * old.count)
    for entry in old where entry > 0 {
      var slot = Int(entry >> 32) & mask
      while slots[slot] > 0 { slot = (slot + 1) & mask }
      slots[slot] = entry
    }
  }

  fileprivate var mask: Int { slots.count - 1 }

  private static func most(in slots: Int) -> Int { slots / 4 * 3 }

  fileprivate static func place(_ entry: UInt64) -> Int? {
    entry == 0 ? nil : Int(entry & 0xFFFF_FFFF) - 1
  }
}

extension EntityTable {
  /// Where the first entity of a name stands.
  func place(of name: SourceIndex.Name) -> Int? {
    SourceIndex.place(sources.slots[slot(of: name, name.half)])
  }

  /// Notes what the entity at a place is called at its source, unless one of that name is known.
  ///
  /// - Returns: Where the first one stands.
  mutating func index(_ place: Int, as name: SourceIndex.Name) -> Int {
    sources.makeRoom()
    let half = name.half
    let slot = slot(of: name, half)
    if let first = SourceIndex.place(sources.slots[slot]) { return first }
    sources.put(place, half, in: slot)
    return place
  }

  /// The slot that a name lies in or is to lie in.
  private func slot(of name: SourceIndex.Name, _ half: UInt64) -> Int {
    var slot = Int(half) & sources.mask
    while let place = SourceIndex.place(sources.slots[slot]) {
      if sources.slots[slot] >> 32 == half, source(at: place) == name.source,
        kind(at: place) == name.kind
      {
        return slot
      }
      slot = (slot + 1) & sources.mask
    }
    return slot
  }
}
