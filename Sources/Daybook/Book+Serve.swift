import Journaling
import Platform
import Syncing

extension Book {
  /// One visit of a peer: what it came to, or why it failed.
  package enum Visit: Sendable {
    case done(Receipt)
    case failed(DaybookError)
  }

  /// How often a server looks up from waiting.
  private static let patienceMilliseconds = 200

  /// How often in a row no caller could be taken, for want of memory or files, before a server gives up.
  private static let failures = 3_000

  /// Lets peers that dial sync with this book, one after the other, until it is told to stop.
  ///
  /// It says on which port it is ready, and of each peer what its visit came to.
  package func serve(
    host: String, port: UInt16, admission: Admission = .never, ready: (UInt16) -> Void,
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
      do throws(DaybookError) {
        visited(.done(try receive(line, admission)))
      } catch {
        visited(.failed(error))
      }
    }
  }

  private func receive(
    _ line: any Line, _ admission: Admission
  ) throws(DaybookError) -> Receipt {
    try prepareToSync()
    let before = try holdings()
    defer { endSync() }
    let talk = try wrap(DaybookError.sync) { () throws(SyncError) in
      try Talk(answering: line, for: self)
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
