package import Bytes
import Crypto
package import Journaling
import Platform
package import Syncing

/// A book takes part in a sync as itself. What comes waits in memory, and the folder's lock is held only while that
/// is stored: so a slow peer keeps no other writer waiting, and two books that sync with each other never wait in
/// a ring.
extension Book: Holder {
  package var hello: Hello {
    // A device that has written nothing has no log to be known by. Where it cannot be told which log is its own,
    // it is met as such a one: the other side then does not remember it as a peer, and loses nothing by that.
    let speaker = (try? ownSpeaker()) ?? nil
    return Hello(
      book: isJoining || file.book == .none ? nil : file.book, formerBooks: file.formerly,
      replica: speaker?.log ?? .none, frontier: frontier,
      incarnation: speaker?.incarnation ?? .none)
  }

  /// The own log, and what binds it to its key.
  private func ownSpeaker() throws(DaybookError) -> (log: UniqueID, incarnation: UniqueID)? {
    guard let log = try ownLog else { return nil }
    if let knownIncarnation, knownIncarnation.log == log { return knownIncarnation }
    guard case .open(let opening) = try openEvent(of: log) else { return nil }
    knownIncarnation = (log, opening.incarnation)
    return knownIncarnation
  }

  private var frontier: Frontier {
    // What cannot be read is not told, and so comes once more.
    Frontier((try? journal.places()) ?? [])
  }

  package func landmarks(for other: Frontier) throws(SyncError) -> [Place] {
    try wrap(SyncError.journal) { () throws(JournalError) in
      try journal.landmarks(for: other.places)
    }
  }

  package func frames(
    of replica: UniqueID, lackedBy places: [Place]
  ) throws(SyncError) -> FrameStream {
    let keys = try exportKeys(of: replica)
    let export = try wrap(SyncError.journal) { () throws(JournalError) in
      OpenExport(try journal.export(of: replica, lackedBy: places, keys: keys))
    }
    return FrameStream { () throws(SyncError) in
      guard let frame = try export.next() else { return nil }
      try self.checkPeerMeanwhile()
      self.noteDeparture(frame, of: replica, lackedBy: places)
      return frame
    }
  }

  /// The keys to sign a head with; others' logs end where their own heads are.
  private func exportKeys(of log: UniqueID) throws(SyncError) -> DeviceKeys? {
    do throws(DaybookError) {
      return try keys(of: log)
    } catch .disk(let error) {
      throw .disk(error)
    } catch {
      // A key file that cannot be read: what others have signed still goes out.
      return nil
    }
  }

  package func hear(of other: Frontier) {
    lostElsewhere = Set(other.places.filter { !$0.islands.isEmpty }.map(\.log))
  }

  package func stage(_ frame: [UInt8], of replica: UniqueID) throws(JournalError) {
    guard frame.count <= Syncing.Limit.frameBytes, FrameLabel(frame.span, at: 0) != nil else {
      throw .refused(replica, .envelope)
    }
    arrivals.append(Arrival(replica: replica, frame: frame))
  }

  package func commit() throws(JournalError) -> Frontier {
    if !arrivals.isEmpty || syncLock != nil {
      erasureJudge = nil
      try holdLock()
      try receiveArrivals()
      if journal.isHealing { try forgetPosted() }
      _ = try journal.commit()
    }
    // After a failure the lock stays: another call goes on with the other logs, and a sync that ends releases it.
    releaseLock()
    return frontier
  }

  private func forgetPosted() throws(JournalError) {
    do throws(DaybookError) {
      try forgetView()
    } catch .disk(let error) {
      throw .disk(error)
    } catch {
      preconditionFailure("removing files throws nothing else: \(error)")
    }
  }

  /// Gives the journal what has come, up to what it does not take.
  private func receiveArrivals() throws(JournalError) {
    let shelves = try shelves()
    // Taken from the end, which costs nothing.
    arrivals.reverse()
    defer { arrivals.reverse() }
    while let arrival = arrivals.popLast() {
      do throws(JournalError) {
        let shelf = shelves[arrival.replica] ?? .aside
        try leaveOwnLog(before: arrival.frame, of: arrival.replica)
        try journal.receive(
          arrival.frame, of: arrival.replica, on: shelf,
          acrossHoles: lostElsewhere.contains(arrival.replica))
      } catch {
        // Of a log that stays as it is the rest would fail in the same way. Behind a forged frame nothing counts.
        if error.isConfined {
          arrivals.removeAll { $0.replica == arrival.replica }
        } else {
          arrivals = []
          journal.forgetReceived()
        }
        throw error
      }
    }
  }

  /// Where each replica's log goes that has come.
  private func shelves() throws(JournalError) -> [UniqueID: Journal.Shelf] {
    var shelves: [UniqueID: Journal.Shelf] = [:]
    for arrival in arrivals where shelves[arrival.replica] == nil {
      do throws(DaybookError) {
        shelves[arrival.replica] = try shelf(for: arrival.replica, firstFrame: arrival.frame)
      } catch .journal(let error) {
        throw error
      } catch .disk(let error) {
        throw .disk(error)
      } catch {
        // Who is trusted cannot be told now, so nobody new is.
        shelves[arrival.replica] = .aside
      }
    }
    return shelves
  }

  /// Takes the lock for what comes, unless this sync has it already.
  private func holdLock() throws(JournalError) {
    guard syncLock == nil else { return }
    do throws(DaybookError) {
      syncLock = try takeLock()
      try reloadJournal()
      try recoverJournal()
    } catch .journal(let error) {
      throw error
    } catch .disk(let error) {
      throw .disk(error)
    } catch .busy(let holder) {
      throw .locked(holder: holder)
    } catch {
      preconditionFailure("taking the lock throws nothing else: \(error)")
    }
  }

  /// Ends what a sync holds; what has come and is not stored is forgotten.
  func endSync() {
    arrivals = []
    lostElsewhere = []
    erasureJudge = nil
    guest = nil
    releaseLock()
  }

  private func releaseLock() {
    guard let token = syncLock.take() else { return }
    // The lock ends with the token, whatever the disk says to closing it.
    try? machine.disk.close(token)
  }
}

/// An export that more than one caller holds on to.
private final class OpenExport {
  private var export: ReplicaExport

  init(_ export: consuming ReplicaExport) { self.export = export }

  func next() throws(SyncError) -> [UInt8]? {
    do throws(JournalError) { return try export.next() } catch { throw .journal(error) }
  }
}

/// A frame of a replica's log that has come and is not stored yet.
struct Arrival {
  let replica: UniqueID
  let frame: [UInt8]
}

extension UniqueID {
  /// Stands where there is no id yet.
  static let none = UniqueID(high: 0, low: 0)
}
