package import Crypto
import Journaling
import Platform
package import Syncing

extension Book {
  /// One visit of a peer: what it came to, or why it failed.
  package enum Visit: Sendable {
    case done(Receipt)
    case failed(DaybookError)
    /// A caller at an address was not let in.
    case turnedAway(String, SyncError)
  }

  /// How often a server looks up from waiting.
  private static let patienceMilliseconds = 200

  /// How often in a row no caller could be taken, for want of memory or files, before a server gives up.
  private static let failures = 3_000

  /// Lets peers that dial sync with this book, one after the other, until it is told to stop.
  ///
  /// It says on which port it is ready, and of each peer what its visit came to. Whoever shows the key of a device of
  /// the book is let in; others where all are to be admitted, or as `letsIn` says. No revoked key is.
  package func serve(
    host: String, port: UInt16, admission: Admission = .never,
    letsIn: @escaping @Sendable (PublicKey) -> Bool = { _ in false }, ready: (UInt16) -> Void,
    visited: (Visit) -> Void, until isOver: () -> Bool
  ) throws(DaybookError) {
    let listener = try wrap(DaybookError.network) { () throws(NetworkError) in
      try machine.network.listen(host: host, port: port)
    }
    defer { listener.close() }
    ready(listener.port)
    var failures = 0
    while !isOver() {
      let line: (any Line)?
      do throws(NetworkError) {
        line = try listener.accept(patienceMilliseconds: Self.patienceMilliseconds)
        failures = 0
      } catch {
        // A caller who has gone again, or a machine out of files, says nothing of the next caller.
        failures += 1
        guard error != .cut, failures < Self.failures else { throw .network(error) }
        if failures == 1 { visited(.failed(.network(error))) }
        machine.timekeeper.pause(milliseconds: Int64(Self.patienceMilliseconds))
        continue
      }
      guard let line else { continue }
      visited(visit(line, admission) { [isForAll = admission.isForAll] in isForAll || letsIn($0) })
    }
  }

  private func visit(
    _ line: any Line, _ admission: Admission, letsIn: @escaping @Sendable (PublicKey) -> Bool
  ) -> Visit {
    do throws(DaybookError) {
      let start = machine.timekeeper.monotonicMilliseconds()
      let (identity, guests) = (try identity, try guests())
      let secure: SecureLine
      do throws(SyncError) {
        secure = try SecureLine.open(
          .server, over: line, as: identity, timekeeper: machine.timekeeper
        ) { guests.admits($0, orElse: letsIn) }
      } catch {
        return .turnedAway(line.peer, error)
      }
      return .done(try receive(secure, admission, since: start))
    } catch {
      line.close()
      return .failed(error)
    }
  }

  private func receive(
    _ line: SecureLine, _ admission: Admission, since start: Int64
  ) throws(DaybookError) -> Receipt {
    try prepareToSync()
    let before = try holdings()
    defer { endSync() }
    let talk = try wrap(DaybookError.sync) { () throws(SyncError) in
      try Talk(answering: line, for: self, since: start)
    }
    try settleAfterSync()
    let chosen = try uncut(try waitingDevices().filter(admission.admits))
    let mayAdmit = try isAdmitted()
    // Those who were admitted hear of it when they come next.
    if mayAdmit { try admit(chosen) }
    return try receipt(
      talk, since: before, admitted: mayAdmit ? chosen : [],
      couldNotAdmit: !mayAdmit && !chosen.isEmpty)
  }
}
