import Bytes
import Crypto

/// Checks a proof, without a book.
///
/// The check uses none of the code that writes books and proofs, apart from hashes, signatures and CBOR.
package struct ProofCheck {
  private let proof: Proof
  private let logs: [ChainedLog]
  /// The shown bodies of each log.
  private var bodies: [[UInt64: EventBody]] = []

  /// Checks a file.
  ///
  /// - Parameter bytes: The content of the file.
  /// - Returns: What the file proves.
  /// - Throws: ``ProofFault`` unless everything in the file holds.
  package static func check(_ bytes: [UInt8]) throws(ProofFault) -> ProofReport {
    try ProofCheck(try Proof.decode(bytes)).report()
  }

  private init(_ proof: Proof) throws(ProofFault) {
    self.proof = proof
    var logs: [ChainedLog] = []
    for (number, log) in proof.logs.enumerated() {
      logs.append(try ChainedLog(log, number: number, in: proof.book))
    }
    self.logs = logs
    for number in logs.indices { bodies.append(try Self.bodies(of: logs[number], number)) }
  }

  private static func bodies(
    of log: ChainedLog, _ number: Int
  ) throws(ProofFault) -> [UInt64: EventBody] {
    var bodies: [UInt64: EventBody] = [:]
    for event in log.ordered {
      guard let bytes = event.body else { continue }
      let body: EventBody
      do throws(CBORError) { body = try EventBody(bytes) } catch {
        throw .body(log: number, sequence: event.sequence)
      }
      if case .open(let key, let incarnation, _) = body {
        guard event.sequence == 1, key == log.key.bytes, incarnation == log.incarnation else {
          throw .opening(log: number)
        }
      } else if event.sequence == 1 {
        throw .opening(log: number)
      }
      bodies[event.sequence] = body
    }
    return bodies
  }

  private func report() throws(ProofFault) -> ProofReport {
    guard let founder = logs.indices.first(where: isFounder) else { throw .founder }
    let devices = ProofDevices(logs, bodies, founder: founder)
    for number in logs.indices where !devices.isAdmitted(logs[number].key) {
      throw .unadmitted(log: number)
    }
    let record = try ProofRecord(proof.record, logs, bodies)
    var events: [ProofReport.Event] = []
    for number in logs.indices {
      for (sequence, body) in bodies[number].sorted(by: { $0.key < $1.key }) {
        guard let event = logs[number].events[sequence], let bytes = event.body else { continue }
        let role = try role(of: body, event, in: number, devices, record)
        events.append(
          ProofReport.Event(
            log: number, sequence: sequence, time: Int64(event.time), hasWhen: event.hasWhen,
            when: event.when, hash: event.hash, body: bytes, role: role,
            isCut: devices.cuts(number, sequence)))
      }
    }
    return ProofReport(
      book: proof.book, record: proof.record, kind: record.kind, members: record.members,
      erased: record.erased, logs: devices.logs(knowing: bodies), events: events)
  }

  /// Whether the log shows the event from which the book's id is derived.
  private func isFounder(_ number: Int) -> Bool {
    guard case .open = bodies[number][1] else { return false }
    return logs[number].events[1]?.hash.prefix16 == proof.book
  }

  private func role(
    of body: EventBody, _ event: ChainedLog.Event, in number: Int, _ devices: ProofDevices,
    _ record: ProofRecord
  ) throws(ProofFault) -> ProofReport.Role {
    let needless = ProofFault.needless(log: number, sequence: event.sequence)
    switch body {
    case .open: return .opens
    case .admit(let key, let name, _):
      guard let key = devices.key(key) else { throw needless }
      return .admits(name: name, key)
    case .revoke(let key, _):
      guard let key = devices.key(key) else { throw needless }
      return .revokes(key)
    case .erase(let add):
      guard let id = add.flatMap(record.member(addedAt:)) else {
        throw .foreign(log: number, sequence: event.sequence)
      }
      return .erases(id)
    case .add, .change, .alias:
      guard try record.has(body, event, in: number) else {
        throw .foreign(log: number, sequence: event.sequence)
      }
      return .changes
    case .other: throw needless
    }
  }
}
