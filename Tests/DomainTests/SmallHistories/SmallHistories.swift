import Bytes
import Domain

/// Writes every history of a few events by a few replicas, one event after another.
///
/// Each event sees any set of the other replicas' events that its author has not yet seen, even with holes. It has any
/// body that the writer allows for its author's knowledge. Replicas are numbered in the order of their first event,
/// because other orders differ only in names. All replicas know the given records from the start. Two consecutive
/// events could be swapped if neither author has seen the other's event and no clock orders them. Only the history in
/// which the replica with the lower number writes first is then visited.
struct SmallHistories {
  /// The differences between the clocks of the replicas.
  enum Clocks: CaseIterable {
    /// Every event has a later time than the previous events.
    case right
    /// All events have the same time, so that ids decide.
    case equal
    /// The first replica is always ahead of the others.
    case skewed
  }

  let replicas: Int
  let events: Int
  let clocks: Clocks
  /// Whether an author can see an event without the earlier events of its log.
  let hasHoles: Bool
  /// Whether all logs except the first are branches of it, written by copies of one device.
  ///
  /// The first log then has only the given records.
  let isForked: Bool
  /// Decides which events the authors can write.
  let writer: any SmallWriter

  /// The events by their bits, in the order of writing.
  private(set) var facts: [Fact] = []
  /// The notes of each event.
  private(set) var notes: [[Note]] = []
  /// The events of others that each replica has seen, one bit for each.
  private var seen: [UInt32]
  /// The subset of `seen` that the replica's events have noted.
  private var told: [UInt32]
  private var given = 0

  init(
    replicas: Int, events: Int, clocks: Clocks, hasHoles: Bool, isForked: Bool = false,
    writer: any SmallWriter
  ) {
    (self.replicas, self.events, self.clocks) = (replicas, events, clocks)
    (self.hasHoles, self.isForked, self.writer) = (hasHoles, isForked, writer)
    seen = Array(repeating: 0, count: replicas)
    told = seen
  }

  /// Lets the first replica add a record that all the others see.
  mutating func give() {
    for other in 1..<replicas {
      seen[other] |= 1 << UInt32(facts.count)
      // A branch has seen its trunk without saying so.
      if isForked { told[other] = seen[other] }
    }
    write(writer.given(given), by: 0)
    given += 1
  }

  var logs: [Causality.LogIdentity] {
    (0..<replicas).map { log in
      let id = UniqueID(high: 1, low: UInt64(log))
      guard isForked, log > 0 else { return Causality.LogIdentity(id: id, replica: id) }
      return Causality.LogIdentity(id: id, replica: UniqueID(high: 1, low: 0), trunk: 0)
    }
  }

  /// The part of the history that consists of the given events.
  func history(of mask: UInt32) -> History {
    let held = facts.indices.filter { mask & 1 << UInt32($0) != 0 }
    return History(logs: logs, facts: held.map { facts[$0] }, notes: held.flatMap { notes[$0] })
  }

  /// Calls `visit` for each possible next event, which is part of the history during the call.
  ///
  /// False ends the search.
  mutating func forEachNext(_ visit: (inout SmallHistories) -> Bool) -> Bool {
    let writers = Set(facts.map(\.key.log)).count
    for author in (isForked ? 1 : 0)..<min(replicas, writers + 1) {
      let (before, toldBefore) = (seen[author], told[author])
      defer { (seen[author], told[author]) = (before, toldBefore) }
      for gained in masks(within: mask { $0.key.log != author } & ~before) {
        (seen[author], told[author]) = (before | gained, toldBefore)
        guard hasHoles || isWhole(seen[author]), !couldBeEarlier(author) else { continue }
        for body in writer.bodies(by: knowledge(of: author)) {
          write(body, by: author)
          let goesOn = visit(&self)
          told[author] = toldBefore
          facts.removeLast()
          notes.removeLast()
          if !goesOn { return false }
        }
      }
    }
    return true
  }

  /// Whether the previous event could equally have been written after this event, by an earlier replica.
  private func couldBeEarlier(_ author: Int) -> Bool {
    guard let last = facts.last, author < last.key.log,
      seen[author] & 1 << UInt32(facts.count - 1) == 0
    else { return false }
    return switch clocks {
    case .right: false
    case .equal: true
    // The first replica's events are always later than the events of the others, whose clocks are right.
    case .skewed: author == 0
    }
  }

  private func mask(where isIn: (Fact) -> Bool) -> UInt32 {
    facts.indices.reduce(0) { isIn(facts[$1]) ? $0 | 1 << UInt32($1) : $0 }
  }

  private func masks(within mask: UInt32) -> [UInt32] {
    (0...mask).filter { $0 & ~mask == 0 }
  }

  /// Whether the seen events of each log are a prefix.
  private func isWhole(_ seen: UInt32) -> Bool {
    (0..<UInt32(replicas)).allSatisfy { log in
      let flags = facts.indices.filter { facts[$0].key.log == log }
        .map { seen & 1 << UInt32($0) != 0 }
      return flags == flags.sorted { $0 && !$1 }
    }
  }

  private mutating func write(_ body: Body, by author: Int) {
    let own = facts.count { $0.key.log == author || isForked && $0.key.log == 0 }
    let key = EventKey(log: UInt32(author), sequence: UInt64(own + 1))
    let time: Int64 =
      switch clocks {
      case .right: Int64(facts.count)
      case .equal: 0
      case .skewed: Int64(facts.count + (author == 0 ? 100 : 0))
      }
    notes.append(notes(of: key))
    told[author] = seen[author]
    // The hashes are mixed, so that the ids of entities are ordered differently from their events.
    let hash = UniqueID(high: UInt64(facts.count + 1) &* 0x9E37_79B9_7F4A_7C15, low: 0)
    facts.append(Fact(key: key, time: time, when: nil, hash: hash, body: body))
  }

  private func notes(of key: EventKey) -> [Note] {
    let seen = seen[Int(key.log)]
    let news = seen & ~told[Int(key.log)]
    return (0..<UInt32(replicas)).compactMap { other in
      let bits = facts.indices.filter { facts[$0].key.log == other }
      guard bits.contains(where: { news & 1 << UInt32($0) != 0 }),
        let last = bits.last(where: { seen & 1 << UInt32($0) != 0 })
      else { return nil }
      let missing = bits.filter { $0 < last && seen & 1 << UInt32($0) == 0 }
        .map { facts[$0].key.sequence }
      return Note(
        event: key, other: other, upTo: facts[last].key.sequence, except: missing.map { $0...$0 })
    }
  }

  /// The knowledge of the next event's author.
  private func knowledge(of author: Int) -> SmallAuthor {
    let known = mask { $0.key.log == author } | seen[author]
    return SmallAuthor(
      log: UInt32(author), known: history(of: known), count: facts.count, given: given)
  }
}
