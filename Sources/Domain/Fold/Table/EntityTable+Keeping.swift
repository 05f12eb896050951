internal import Bytes

// Changes to the table when an event is folded. For each log, the table keeps only the last write to a field, the last
// giver and the last delete. For a log with exceptions, it keeps all givers and deletes.

extension EntityTable {
  /// Stores an event so that rows and writes can refer to it.
  ///
  /// - Returns: The place of the event.
  mutating func note(_ origin: Origin) -> UInt32 {
    origins.append(origin)
  }

  /// Sets the event that added an entity.
  mutating func setBirth(
    at place: Int, by origin: UInt32, kind: Kind?, source: Source?, joins: [EventKey] = []
  ) {
    rows[place].birth = origin
    rows[place].kind = kind.map { kinds.narrow($0.rawValue) } ?? EntityRow.none
    rows[place].source = source
    if !joins.isEmpty || rows[place].rest != EntityRow.none {
      rests[rest(at: place)].joins = joins
    }
  }

  /// Keeps the writes of an add or an edit.
  ///
  /// - Returns: The parents that the event refers to and gives life to; empty until the add of the entity is folded.
  mutating func keepWrites(of fact: Fact, by origin: UInt32, at place: Int) -> [EventKey] {
    let lastLeftOut = fact.body.verb == .add ? Field.source : .owner
    let count = Int(rows[place].writeCount) + fact.body.writes.count
    if count <= Self.mostChained, rows[place].writeCount != EntityRow.unchained {
      for write in fact.body.writes where write.field > lastLeftOut {
        if chains.keep(write, of: origin, in: &rows[place].writes, origins) {
          rows[place].writeCount += 1
        }
      }
    } else {
      let kept = fact.body.writes.filter { $0.field > lastLeftOut }
      merge(kept.map { origins[origin].write(of: $0.field, $0.value) }, at: place)
    }
    return parents(namedBy: fact, by: origin, at: place, behind: lastLeftOut)
  }

  /// Merges the writes of an event into an entity's ``EntityRest``, after moving its chained writes there.
  private mutating func merge(_ writes: [Stored], at place: Int) {
    let rest = rest(at: place)
    if rows[place].writeCount != EntityRow.unchained {
      rests[rest].writes = SortedChunks(
        chains.writes(from: rows[place].writes, count: Int(rows[place].writeCount), origins))
      (rows[place].writes, rows[place].writeCount) = (EntityRow.none, EntityRow.unchained)
    }
    rests[rest].writes.keep(writes)
  }

  private mutating func parents(
    namedBy fact: Fact, by origin: UInt32, at place: Int, behind lastLeftOut: Field
  ) -> [EventKey] {
    var parents: [EventKey] = []
    for write in fact.body.writes where write.field > lastLeftOut {
      guard let parent = write.value.reference else { continue }
      if rows[place].birth == EntityRow.none {
        if write.field.base == Field.Todo.list { parents.append(parent) }
      } else if write.field.namesParent(in: kind(at: place)) {
        parents.append(parent)
      }
    }
    guard rows[place].birth == EntityRow.none, !parents.isEmpty else { return parents }
    let mark = origins[origin].mark
    let rest = rest(at: place)
    rests[rest].promises.keep(parents.map { Entity.Promise(parent: $0, mark: mark) })
    return []
  }

  /// Keeps an event that gave life to an entity or deleted it, in place of an earlier event of its log or in addition
  /// to it.
  ///
  /// - Returns: Whether this or another event of the same log was dropped.
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
    rests[rest(at: place)][role] = SortedChunks(old < new ? marks : marks.reversed())
    rows[place][role] = EntityRow.none
    return false
  }

  mutating func keep(alias: EventKey, at place: Int) {
    rests[rest(at: place)].aliases.insert(alias)
  }

  /// Removes and returns the promises that were kept before the kind was known.
  mutating func takePromises(at place: Int) -> [Entity.Promise] {
    let rest = rows[place].rest
    guard rest != EntityRow.none else { return [] }
    defer { rests[Int(rest)].promises = SortedChunks() }
    return rests[Int(rest)].promises.elements
  }

  /// The index of an entity's ``EntityRest``, which is created if necessary.
  private mutating func rest(at place: Int) -> Int {
    if rows[place].rest == EntityRow.none {
      rows[place].rest = UInt32(rests.count)
      rests.append(EntityRest())
    }
    return Int(rows[place].rest)
  }

  /// Replaces the state of an entity.
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
    if entity.writes.count > Self.mostChained {
      merge(entity.writes, at: place)
    } else {
      for write in entity.writes {
        let (write, origin) = (Write(write.field, write.value), noted(Origin(of: write)))
        _ = chains.keep(write, of: origin, in: &rows[place].writes, origins)
        rows[place].writeCount += 1
      }
    }
    for (role, marks) in [(MarkRole.giver, entity.givers), (.delete, entity.deletes)] {
      if marks.count > 1 {
        rests[rest(at: place)][role] = SortedChunks(marks)
      } else if let mark = marks.first {
        rows[place][role] = note(Origin(of: mark))
      }
    }
    if !entity.aliases.isEmpty {
      rests[rest(at: place)].aliases = SortedChunks(entity.aliases)
    }
    if !entity.promises.isEmpty {
      rests[rest(at: place)].promises = SortedChunks(entity.promises)
    }
  }
}

extension Origin {
  /// The event of a mark, without its hash, which a mark does not have and no reader needs.
  init(of mark: Mark) {
    self.init(
      key: mark.key, time: mark.time, effectiveTime: mark.effectiveTime, hash: .none)
  }
}

extension SortedChunks<Stored> {
  /// Keeps each write by an event unless its log has a later write to the field.
  fileprivate mutating func keep(_ writes: [Stored]) {
    for write in writes {
      let place = firstPlace { ($0.field, $0.key.log) >= (write.field, write.key.log) }
      if let known = self[place], (known.field, known.key.log) == (write.field, write.key.log) {
        // If one event writes a field several times, the last write counts.
        if known.key.sequence <= write.key.sequence { replace(at: place, by: write) }
      } else {
        insert(write, at: place)
      }
    }
  }
}

extension SortedChunks<Entity.Promise> {
  /// Keeps the promises of an event, each of them once.
  fileprivate mutating func keep(_ promises: [Entity.Promise]) {
    for promise in promises {
      let place = firstPlace {
        ($0.mark.key, $0.parent) >= (promise.mark.key, promise.parent)
      }
      let known = self[place]
      guard known?.mark.key != promise.mark.key || known?.parent != promise.parent else { continue }
      insert(promise, at: place)
    }
  }
}

extension SortedChunks<Mark> {
  /// Keeps a mark, in place of an earlier mark of its log or in addition to it.
  ///
  /// - Returns: Whether this or another mark of the same log was dropped.
  mutating func keep(_ mark: Mark, besideOthers keepsAll: Bool) -> Bool {
    let place = firstPlace { $0.key >= mark.key }
    let next = self[place]
    if next?.key == mark.key { return false }
    if keepsAll {
      insert(mark, at: place)
      return false
    }
    if next?.key.log == mark.key.log { return true }
    guard let before = self.place(before: place), self[before]?.key.log == mark.key.log else {
      insert(mark, at: place)
      return false
    }
    replace(at: before, by: mark)
    return true
  }
}
