package import Bytes

/// What every event had seen: the only thing that decides which of two writes beats the other.
///
/// The past of an event is the events before it in its log and those the log's *seen* entries have named up
/// to it. What a seen event had itself seen is not added. The entries of a log add up, so pasts only grow
/// along a log, and the order in which entries are noted cannot matter.
package struct Causality: Sendable {
  /// A log (or branch of one) and the replica that writes it.
  package struct LogIdentity: Hashable, Sendable {
    package let id: UniqueID
    package let replica: UniqueID

    package init(id: UniqueID, replica: UniqueID) {
      self.id = id
      self.replica = replica
    }
  }

  private struct Pair: Hashable {
    let author: UInt32
    let other: UInt32
  }

  /// The logs by their numbers.
  package private(set) var logs: [LogIdentity] = []
  /// The logs of which some event was named as missing by someone.
  package private(set) var logsWithExceptions: Set<UInt32> = []
  private var numbers: [UniqueID: UInt32] = [:]
  private var sights: [Pair: Sight] = [:]

  package init() {}

  /// The number of a log in this process, a new one if the log is new.
  package mutating func number(of id: UniqueID, replica: UniqueID) -> UInt32 {
    if let number = numbers[id] { return number }
    let number = UInt32(logs.count)
    numbers[id] = number
    logs.append(LogIdentity(id: id, replica: replica))
    return number
  }

  package func number(of id: UniqueID) -> UInt32? { numbers[id] }

  package func identity(of log: UInt32) -> LogIdentity? {
    log < logs.count ? logs[Int(log)] : nil
  }

  /// Notes that the author of `event` had, by then, folded the log `other` up to a sequence, save the exceptions.
  ///
  /// Notes may arrive in any order. One that arrives after later events of its own log were folded (a hole was
  /// filled) can change documents that no fact touches: then look at all of them.
  package mutating func note(
    _ event: EventKey, saw other: UInt32, upTo sequence: UInt64,
    except exceptions: [ClosedRange<UInt64>] = []
  ) {
    sights[Pair(author: event.log, other: other), default: Sight()]
      .note(event.sequence, upTo: sequence, except: exceptions)
    if !exceptions.isEmpty { logsWithExceptions.insert(other) }
  }

  /// Whether the author of `event` had folded `other` when writing it.
  package func past(of event: EventKey, includes other: EventKey) -> Bool {
    if event.log == other.log { return other.sequence < event.sequence }
    guard let sight = sights[Pair(author: event.log, other: other.log)] else { return false }
    return sight.includes(other.sequence, at: event.sequence)
  }

  /// How far into `other` the author of a log has told to have looked; 0 when it never did.
  package func lastSeen(of other: UInt32, by author: UInt32) -> UInt64 {
    sights[Pair(author: author, other: other)]?.last ?? 0
  }

  package func areConcurrent(_ left: EventKey, _ right: EventKey) -> Bool {
    left != right && !past(of: left, includes: right) && !past(of: right, includes: left)
  }
}
