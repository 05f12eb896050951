/// The entities of each kind and source.
///
/// For the first entity of each name, the index is a hash table of places and half hashes; the names themselves are
/// read from the table of entities. A dictionary would store each name a second time, and these copies would account
/// for most of the cost of filling the dictionary. Only the few names that several entities share are in a dictionary.
struct SourceIndex: Sendable {
  /// The kind of an entity, and its source.
  struct Name: Hashable {
    let kind: Kind
    let source: Source

    /// The stored half of the hash.
    fileprivate var half: UInt64 { UInt64(UInt(bitPattern: hashValue)) >> 32 }
  }

  /// The slots, each with half of the hash of a name in the upper bits and the place of the name's entity plus 1 in the
  /// lower bits; an empty slot is 0.
  ///
  /// A name is in the slot that its half hash selects, or in the next slot that was free. At least a quarter of the
  /// slots are free.
  fileprivate var slots = [UInt64](repeating: 0, count: 16)
  private var count = 0
  /// The entities of each name that several entities share; sorted.
  fileprivate var twins: [Name: SortedChunks<EventKey>] = [:]

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
  /// Whether several entities of one kind share any source.
  var hasTwins: Bool { !sources.twins.isEmpty }

  /// Whether several entities share a name.
  func isShared(_ name: SourceIndex.Name) -> Bool { sources.twins[name] != nil }

  /// The entities that have the given name; sorted.
  func keys(named name: SourceIndex.Name) -> [EventKey] {
    if let several = sources.twins[name] { return several.elements }
    let first = SourceIndex.place(sources.slots[slot(of: name, name.half)])
    return first.map { [key(at: $0)] } ?? []
  }

  /// Adds the name of the entity at a place; an entity without a kind or a source has no name.
  ///
  /// - Returns: The first entity with the name, if it is a different entity.
  mutating func indexSource(at place: Int) -> EventKey? {
    guard let kind = kind(at: place), let source = source(at: place) else { return nil }
    let name = SourceIndex.Name(kind: kind, source: source)
    let first = index(place, as: name)
    guard first != place else { return nil }
    let (key, firstKey) = (key(at: place), key(at: first))
    sources.twins[name, default: SortedChunks([firstKey])].insert(key)
    return firstKey
  }

  /// Adds the name of the entity at a place, unless the index already has the name.
  ///
  /// - Returns: The place of the first entity with the name.
  private mutating func index(_ place: Int, as name: SourceIndex.Name) -> Int {
    sources.makeRoom()
    let half = name.half
    let slot = slot(of: name, half)
    if let first = SourceIndex.place(sources.slots[slot]) { return first }
    sources.put(place, half, in: slot)
    return place
  }

  /// The slot of a name, or the free slot for it.
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
