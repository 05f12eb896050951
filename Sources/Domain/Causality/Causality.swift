package import Bytes

/// The events that each event had seen, which alone decide whether one write beats another.
///
/// The past of an event consists of the earlier events in its log and the events in the log's *seen* entries up to that
/// event. Seeing is not transitive: a seen event does not contribute its own past. The entries of a log accumulate, so pasts only
/// grow along a log, and the order in which entries are noted has no influence.
///
/// A branch continues where its trunk ends, so the events of the trunk, and the events that the trunk had seen, are in
/// the past of every event of the branch.
package struct Causality: Sendable {
  /// A log, or a branch of a log, and the replica that writes it.
  package struct LogIdentity: Hashable, Sendable {
    package let id: UniqueID
    package let replica: UniqueID
    /// The log that a branch follows, which ends where the branch begins; nil if the log is not a branch.
    package let trunk: UInt32?

    package init(id: UniqueID, replica: UniqueID, trunk: UInt32? = nil) {
      self.id = id
      self.replica = replica
      self.trunk = trunk
    }
  }

  private struct Pair: Hashable {
    let author: UInt32
    let other: UInt32
  }

  /// The logs, indexed by their numbers.
  package private(set) var logs: [LogIdentity] = []
  /// The logs that have at least one event listed as an exception in a note.
  package private(set) var logsWithExceptions: Set<UInt32> = []
  private var numbers: [UniqueID: UInt32] = [:]
  private var sights: [Pair: SeenRanges] = [:]
  /// The logs that the author of each log has noted as seen.
  private var others: [UInt32: [UInt32]] = [:]
  private var hasBranches = false

  package init() {}

  /// The number of a log in this process; a new log gets the next number.
  ///
  /// A trunk must get its number before its branches.
  package mutating func number(
    of id: UniqueID, replica: UniqueID, behind trunk: UInt32? = nil
  ) -> UInt32 {
    if let number = numbers[id] { return number }
    let number = UInt32(logs.count)
    if let trunk {
      precondition(trunk < number, "a log cannot follow itself")
      hasBranches = true
    }
    numbers[id] = number
    logs.append(LogIdentity(id: id, replica: replica, trunk: trunk))
    return number
  }

  package func number(of id: UniqueID) -> UInt32? { numbers[id] }

  package func identity(of log: UInt32) -> LogIdentity? {
    log < logs.count ? logs[Int(log)] : nil
  }

  /// Notes that the author of `event` had folded the log `other` up to a sequence, apart from the exceptions.
  ///
  /// Notes may arrive in any order. If a note arrives after later events of its own log have been folded, because a
  /// hole was filled, the note can change documents that no fact touches. In that case, all documents must be checked.
  package mutating func note(
    _ event: EventKey, saw other: UInt32, upTo sequence: UInt64,
    except exceptions: [ClosedRange<UInt64>] = []
  ) {
    let count = sights.count
    sights[Pair(author: event.log, other: other), default: SeenRanges()]
      .note(event.sequence, upTo: sequence, except: exceptions)
    if sights.count > count { others[event.log, default: []].append(other) }
    if !exceptions.isEmpty { logsWithExceptions.insert(other) }
  }

  /// Whether the author of `event` had folded `other` when it wrote `event`.
  package func past(of event: EventKey, includes other: EventKey) -> Bool {
    if event.log == other.log { return other.sequence < event.sequence }
    if let sight = sights[Pair(author: event.log, other: other.log)],
      sight.includes(other.sequence, at: event.sequence)
    {
      return true
    }
    return hasBranches && isKnownToTrunk(of: event.log, other)
  }

  /// Whether a log that the given log follows contains an event, or has seen it.
  private func isKnownToTrunk(of log: UInt32, _ other: EventKey) -> Bool {
    var log = log
    while let trunk = identity(of: log)?.trunk {
      if trunk == other.log { return true }
      let sight = sights[Pair(author: trunk, other: other.log)]
      if sight?.includes(other.sequence, at: .max) ?? false { return true }
      log = trunk
    }
    return false
  }

  /// Whether the author of a log has noted that it saw another log up to a sequence, apart from the exceptions.
  ///
  /// Notes of the log's trunks do not count, because the result decides what the log itself still has to note.
  package func hasSeen(
    _ other: UInt32, upTo sequence: UInt64, except exceptions: [ClosedRange<UInt64>],
    by author: UInt32
  ) -> Bool {
    sights[Pair(author: author, other: other)]?.covers(sequence, except: exceptions)
      ?? SeenRanges().covers(sequence, except: exceptions)
  }

  /// The highest sequence of `other` that the author of a log has noted; 0 if there is none.
  package func lastSeen(of other: UInt32, by author: UInt32) -> UInt64 {
    sights[Pair(author: author, other: other)]?.last ?? 0
  }

  /// The logs that an author has noted as seen, in the order in which they were noted.
  func logs(seenBy author: UInt32) -> [UInt32] { others[author] ?? [] }

  func sight(of other: UInt32, by author: UInt32) -> SeenRanges? {
    sights[Pair(author: author, other: other)]
  }

  /// The logs that a log follows, beginning with its own trunk.
  func trunks(of log: UInt32) -> [UInt32] {
    guard hasBranches else { return [] }
    var trunks: [UInt32] = []
    var log = log
    while let trunk = identity(of: log)?.trunk {
      trunks.append(trunk)
      log = trunk
    }
    return trunks
  }

  package func areConcurrent(_ left: EventKey, _ right: EventKey) -> Bool {
    left != right && !past(of: left, includes: right) && !past(of: right, includes: left)
  }
}
