import Bytes
import Domain
import Interchange

/// Several machines with one book, in memory.
struct World {
  struct Machine {
    let log: UInt32
    var records = Records()
    var planner: OperationPlanner
    /// The last folded event of each log.
    ///
    /// `unsaid` has the logs that the next event must refer to.
    var frontier: [UInt32: UInt64] = [:]
    var unsaid: Set<UInt32> = []
  }

  private(set) var causality = Causality()
  private(set) var facts: [Fact] = []
  private(set) var machines: [Machine] = []
  private var clock: Int64 = 1_000_000
  /// A number that makes the ids of each world different.
  private let salt: UInt64

  init(machines count: Int = 1, keepsUIDs: Bool = true, salt: UInt64 = 1) {
    self.salt = salt
    for place in 0..<count {
      let id = UniqueID(high: UInt64(place + 1), low: 7)
      let log = causality.number(of: id, replica: id)
      machines.append(Machine(log: log, planner: OperationPlanner(keepsUIDs: keepsUIDs)))
    }
    for place in machines.indices { machines[place].records.causality = causality }
  }

  var records: Records { machines[0].records }

  /// Runs an operation on a machine.
  ///
  /// - Returns: The events written.
  @discardableResult
  mutating func run(_ operation: Operation, on place: Int = 0) throws(OperationFault) -> [Body] {
    let drafts = try machines[place].planner.plan(operation, on: machines[place].records)
    let bodies = write(drafts, when: operation.time, on: place)
    if drafts.first?.body.verb == .add, let key = facts.last?.key {
      machines[place].planner.noteAdded(operation, as: key)
    }
    return bodies
  }

  @discardableResult
  mutating func run(_ lines: String, on place: Int = 0) throws(OperationFault) -> [Body] {
    var bodies: [Body] = []
    for line in lines.split(separator: "\n") {
      bodies += try run(Operation(line: Array(line.utf8)), on: place)
    }
    return bodies
  }

  @discardableResult
  mutating func write(_ drafts: [Draft], when: Int64? = nil, on place: Int = 0) -> [Body] {
    let log = machines[place].log
    let first = machines[place].frontier[log, default: 0] + 1
    var bodies: [Body] = []
    for draft in drafts {
      clock += 10
      let key = EventKey(log: log, sequence: first + UInt64(bodies.count))
      for other in machines[place].unsaid.sorted() {
        let upTo = machines[place].frontier[other, default: 0]
        causality.note(key, saw: other, upTo: upTo)
      }
      machines[place].unsaid = []
      let body = draft.resolved { EventKey(log: log, sequence: first + UInt64($0)) }
      let hash = UniqueID(high: salt << 48 + UInt64(log), low: key.sequence)
      let fact = Fact(key: key, time: clock, when: when, hash: hash, body: body)
      facts.append(fact)
      bodies.append(body)
      for place in machines.indices { machines[place].records.causality = causality }
      machines[place].records.apply(fact)
      machines[place].frontier[log] = key.sequence
    }
    return bodies
  }

  /// Sends the folded events of one machine to another.
  mutating func send(from sender: Int, to receiver: Int) {
    for fact in facts {
      let (log, sequence) = (fact.key.log, fact.key.sequence)
      guard sequence <= machines[sender].frontier[log, default: 0],
        sequence > machines[receiver].frontier[log, default: 0]
      else { continue }
      machines[receiver].records.apply(fact)
      machines[receiver].frontier[fact.key.log] = fact.key.sequence
      machines[receiver].unsaid.insert(fact.key.log)
    }
  }

  mutating func meet() {
    for _ in 0..<2 {
      for sender in machines.indices {
        for receiver in machines.indices where receiver != sender {
          send(from: sender, to: receiver)
        }
      }
    }
  }
}

extension Records {
  /// The exported records, one per line.
  var shownLines: [String] {
    StateExport.operations(of: self).map { operation in
      var operation = operation
      operation.assignments.removeAll {
        $0.content == Schema.field($0.field, of: operation.kind).map { .value($0.valueWhenAbsent) }
      }
      return operation.line
    }
  }
}
