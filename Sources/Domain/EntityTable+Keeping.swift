internal import Bytes

// What folding an event changes. Of each log only the last write of a field is kept, and the last event that gave an
// entity life or took it.

extension EntityTable {
  /// Remembers an event for what is kept of it.
  ///
  /// - Returns: Its place.
  mutating func note(_ origin: Origin) -> UInt32 {
    origins.append(origin)
  }

  /// Says what event added an entity.
  mutating func setBirth(
    at place: Int, by origin: UInt32, kind: Kind?, source: Source?, joins: [EventKey] = []
  ) {
    rows[place].birth = origin
    rows[place].kind = kind.map { kinds.narrow($0.rawValue) } ?? EntityRow.none
    rows[place].source = source
    if !joins.isEmpty { rests[rest(at: place)].joins = joins }
  }

  /// Keeps what an add or edit writes.
  ///
  /// - Returns: The parents it names, in whose life it counts.
  mutating func keepWrites(of fact: Fact, by origin: UInt32, at place: Int) -> [EventKey] {
    var parents: [EventKey] = []
    let lastLeftOut = fact.body.verb == .add ? Field.source : .owner
    for write in fact.body.writes where write.field > lastLeftOut {
      keep(write, by: origin, at: place)
      guard let parent = write.value.reference else { continue }
      if rows[place].birth != EntityRow.none {
        if write.field.namesParent(in: kind(at: place)) { parents.append(parent) }
      } else if write.field == Field.Todo.list {
        let promise = Entity.Promise(parent: parent, mark: origins[origin].mark)
        let rest = rest(at: place)
        if !rests[rest].promises.contains(promise) { rests[rest].promises.append(promise) }
      }
    }
    return parents
  }

  private mutating func keep(_ write: Write, by origin: UInt32, at place: Int) {
    guard rows[place].writeCount == Self.mostChained else {
      if chains.keep(write, of: origin, in: &rows[place].writes, origins) {
        rows[place].writeCount += 1
      }
      return
    }
    let rest = rest(at: place)
    if rows[place].writes != EntityRow.none {
      rests[rest].writes = chains.writes(
        from: rows[place].writes, count: Self.mostChained, origins)
      rows[place].writes = EntityRow.none
    }
    rests[rest].writes.keep(origins[origin].write(of: write.field, write.value))
  }

  /// Keeps an event that gave an entity life or took it, either as the last of its log or beside the others.
  ///
  /// - Returns: Whether another one was dropped for it, or it for another one.
  mutating func keep(
    _ origin: UInt32, as role: MarkRole, at place: Int, besideOthers keepsAll: Bool
  ) -> Bool {
    let known = rows[place][role]
    guard known != EntityRow.none else {
      let rest = rows[place].rest
      guard rest != EntityRow.none, !rests[Int(rest)][role].isEmpty else {
        rows[place][role] = origin
        return false
      }
      return rests[Int(rest)][role].keep(origins[origin].mark, besideOthers: keepsAll)
    }
    let (old, new) = (origins.key(at: known), origins.key(at: origin))
    if old == new { return false }
    if !keepsAll, old.log == new.log {
      if old < new { rows[place][role] = origin }
      return true
    }
    let marks = [origins[known].mark, origins[origin].mark]
    rests[rest(at: place)][role] = old < new ? marks : marks.reversed()
    rows[place][role] = EntityRow.none
    return false
  }

  mutating func keep(alias: EventKey, at place: Int) {
    rests[rest(at: place)].aliases.insertSorted(alias)
  }

  /// Hands over what was promised before the kind was known.
  mutating func takePromises(at place: Int) -> [Entity.Promise] {
    let rest = rows[place].rest
    guard rest != EntityRow.none else { return [] }
    defer { rests[Int(rest)].promises = [] }
    return rests[Int(rest)].promises
  }

  /// Where the rest of what is known of an entity stands, which has one from now on.
  private mutating func rest(at place: Int) -> Int {
    if rows[place].rest == EntityRow.none {
      rows[place].rest = UInt32(rests.count)
      rests.append(EntityRest())
    }
    return Int(rows[place].rest)
  }

  /// Puts an entity in the place of what was known of it.
  mutating func insert(_ entity: Entity) {
    let place = place(adding: entity.key)
    rows[place] = EntityRow(entity.key)
    var last: (origin: Origin, place: UInt32)?
    func noted(_ origin: Origin) -> UInt32 {
      if let last, last.origin == origin { return last.place }
      let place = note(origin)
      last = (origin, place)
      return place
    }
    if let birth = entity.birth {
      let origin = noted(Origin(of: birth, adding: entity.key))
      setBirth(at: place, by: origin, kind: birth.kind, source: birth.source, joins: birth.joins)
    }
    for write in entity.writes {
      keep(Write(write.field, write.value), by: noted(Origin(of: write)), at: place)
    }
    for (role, marks) in [(MarkRole.giver, entity.givers), (.delete, entity.deletes)] {
      if marks.count > 1 {
        rests[rest(at: place)][role] = marks
      } else if let mark = marks.first {
        rows[place][role] = note(Origin(of: mark))
      }
    }
    if !entity.aliases.isEmpty { rests[rest(at: place)].aliases = entity.aliases }
    if !entity.promises.isEmpty { rests[rest(at: place)].promises = entity.promises }
  }
}

extension Origin {
  /// The event of a mark, of which the hash is not known and nobody asks.
  init(of mark: Mark) {
    self.init(
      key: mark.key, time: mark.time, effectiveTime: mark.effectiveTime, hash: .none)
  }
}

extension [Stored] {
  /// Keeps a write unless its log has a later one of the field.
  fileprivate mutating func keep(_ write: Stored) {
    let place = firstPlace { ($0.field, $0.key.log) >= (write.field, write.key.log) }
    guard place < count, self[place].field == write.field,
      self[place].key.log == write.key.log
    else { return insert(write, at: place) }
    if self[place].key.sequence <= write.key.sequence { self[place] = write }
  }
}

extension [Mark] {
  /// Keeps a mark, either as the last of its log or beside the others.
  ///
  /// - Returns: Whether another one was dropped for it, or it for another one.
  mutating func keep(_ mark: Mark, besideOthers keepsAll: Bool) -> Bool {
    let place = firstPlace { $0.key >= mark.key }
    if place < count, self[place].key == mark.key { return false }
    if keepsAll {
      insert(mark, at: place)
      return false
    }
    if place < count, self[place].key.log == mark.key.log { return true }
    guard place > 0, self[place - 1].key.log == mark.key.log else {
      insert(mark, at: place)
      return false
    }
    self[place - 1] = mark
    return true
  }
}
