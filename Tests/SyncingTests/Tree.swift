import Bytes
import Crypto
import Journaling

/// A log of a ``MemoryHolder`` with all its branches.
struct Tree: Hashable {
  struct Event: Hashable {
    var sequence: UInt64
    /// The chain hash before the event.
    var before: Digest
    /// The content; nil if it is lost.
    var content: [UInt8]?

    var text: String? { content.map { String(decoding: $0, as: UTF8.self) } }
  }

  /// The id of the log.
  let log: UniqueID
  /// The chain hash before the first event.
  let root: Digest
  /// The events, by the chain hash after each of them.
  private(set) var events: [Digest: Event] = [:]

  init(_ log: UniqueID) { (self.log, root) = (log, SHA256.digest(of: log.bytes)) }

  static func next(_ hash: Digest, _ event: [UInt8]) -> Digest {
    SHA256.digest(of: hash.bytes + event)
  }

  mutating func add(_ content: [UInt8], behind hash: Digest) -> Digest {
    let next = Self.next(hash, content)
    events[next] = Event(sequence: (sequence(of: hash) ?? 0) + 1, before: hash, content: content)
    return next
  }

  mutating func lose(_ sequences: ClosedRange<UInt64>) {
    for (hash, event) in events where sequences.contains(event.sequence) {
      events[hash]?.content = nil
    }
  }

  func sequence(of hash: Digest) -> UInt64? { hash == root ? 0 : events[hash]?.sequence }

  /// The events without a successor, ending with the farthest event.
  var tips: [Digest] {
    let followed = Set(events.values.map(\.before))
    return events.keys.filter { !followed.contains($0) }
      .sorted { (sequence(of: $0) ?? 0, $0) < (sequence(of: $1) ?? 0, $1) }
  }

  /// The events up to and including the given event.
  func path(to hash: Digest) -> [Digest] {
    var path: [Digest] = []
    var next = hash
    while let event = events[next] {
      path.append(next)
      next = event.before
    }
    return path.reversed()
  }

  func places(of log: UniqueID) -> [Place] {
    tips.map { tip in
      let path = path(to: tip)
      let isHeld = path.map { events[$0]?.content != nil }
      let prefix = isHeld.firstIndex(of: false) ?? path.count
      var islands: [ClosedRange<UInt64>] = []
      for index in prefix..<path.count where isHeld[index] {
        let sequence = UInt64(index + 1)
        if let last = islands.last, last.upperBound + 1 == sequence {
          islands[islands.count - 1] = last.lowerBound...sequence
        } else {
          islands.append(sequence...sequence)
        }
      }
      return Place(
        log: log, sequence: UInt64(prefix), hash: prefix > 0 ? path[prefix - 1] : root,
        islands: islands)
    }
  }

  /// If a different event is stored at the place, the stored events there and at doubling distances before it.
  func landmarks(for place: Place) -> [Place] {
    let paths = tips.map { tip in path(to: tip).prefix { events[$0]?.content != nil } }
      .filter { $0.count >= place.sequence && place.sequence > 0 }
    guard !paths.contains(where: { $0[Int(place.sequence) - 1] == place.hash }) else { return [] }
    return paths.flatMap { path in
      let distances = [0] + (0..<62).map { UInt64(1) << UInt64($0) }
      return distances.filter { $0 < place.sequence }.map { distance in
        let sequence = place.sequence - distance
        return Place(log: place.log, sequence: sequence, hash: path[Int(sequence) - 1])
      }
    }
  }

  /// The stored events that another side lacks, in runs along each branch.
  func runs(lackedBy places: [Place]) -> [[Digest]] {
    var covered = Set(places.flatMap { path(to: $0.hash) })
    for place in places where !place.islands.isEmpty {
      let beyond = tips.map(path).filter { place.sequence == 0 || $0.contains(place.hash) }
      // If there are several branches, it is not known which of them an island belongs to.
      guard beyond.count == 1, let path = beyond.first else { continue }
      covered.formUnion(
        path.filter { hash in
          place.islands.contains { $0.contains(sequence(of: hash) ?? 0) }
        })
    }
    var runs: [[Digest]] = []
    for tip in tips {
      var last: Digest?
      for hash in path(to: tip) where events[hash]?.content != nil {
        guard covered.insert(hash).inserted else { continue }
        if let last, events[hash]?.before == last {
          runs[runs.count - 1].append(hash)
        } else {
          runs.append([hash])
        }
        last = hash
      }
    }
    return runs
  }
}
