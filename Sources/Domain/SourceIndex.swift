/// Finds the first entity of each kind and source.
///
/// It holds where the entities stand and half of the hashes of their names, and looks at the entities for the rest. A
/// dictionary would hold each name once more, which is most of what it costs to fill it.
struct SourceIndex: Sendable {
  /// What an entity is called at its source.
  struct Name: Hashable {
    let kind: Kind
    let source: Source
  }

  /// Half of a name's hash above the place of its entity, counted from 1; 0 where there is none.
  ///
  /// A name lies where the half leads to, or in the next slot that was free: at least a quarter of them are.
  private var slots = [UInt64](repeating: 0, count: 16)
  private var count = 0

  init() {}

  mutating func reserveCapacity(_ names: Int) {
    while names > Self.most(in: slots.count) { grow() }
  }

  /// Where the first entity of a name stands.
  func place(of name: Name, in entities: EntityTable) -> Int? {
    Self.place(slots[slot(of: name, Self.half(of: name), in: entities)])
  }

  /// Notes where an entity of a name stands, unless one is known.
  ///
  /// - Returns: Where the first one stands.
  mutating func insert(_ place: Int, as name: Name, in entities: EntityTable) -> Int {
    if count == Self.most(in: slots.count) { grow() }
    let half = Self.half(of: name)
    let slot = slot(of: name, half, in: entities)
    if let first = Self.place(slots[slot]) { return first }
    slots[slot] = half << 32 | UInt64(place + 1)
    count += 1
    return place
  }

  /// The slot that a name lies in or is to lie in.
  private func slot(of name: Name, _ half: UInt64, in entities: EntityTable) -> Int {
    var slot = Int(half) & mask
    while let place = Self.place(slots[slot]) {
      if slots[slot] >> 32 == half, entities.values[place].name == name { return slot }
      slot = (slot + 1) & mask
    }
    return slot
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

  private var mask: Int { slots.count - 1 }

  private static func most(in slots: Int) -> Int { slots / 4 * 3 }

  private static func place(_ entry: UInt64) -> Int? {
    entry == 0 ? nil : Int(entry & 0xFFFF_FFFF) - 1
  }

  private static func half(of name: Name) -> UInt64 {
    UInt64(UInt(bitPattern: name.hashValue)) >> 32
  }
}

extension Entity {
  /// What it is called at its source, if it has one.
  fileprivate var name: SourceIndex.Name? {
    guard let birth, let kind = birth.kind, let source = birth.source else { return nil }
    return SourceIndex.Name(kind: kind, source: source)
  }
}
