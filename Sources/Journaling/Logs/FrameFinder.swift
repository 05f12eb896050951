import Bytes
import Crypto
import Platform

/// Reads frames, chain hashes and log ends anywhere in a log.
struct FrameFinder {
  let store: SegmentStore
  let index: LogIndex

  /// Reads the frames of the given log, starting with the frame that contains the given event.
  func reader(
    of log: UniqueID, from sequence: UInt64 = 1, ahead isAhead: Bool = false
  ) throws(JournalError) -> LogReader {
    try reader(
      ofStrand: index.strand(of: log), from: max(sequence, index.lineage(of: log).first),
      beside: isAhead ? store.beside : nil)
  }

  /// Reads the frames of the given strand, starting with the frame that contains the given event.
  func reader(
    ofStrand strand: UniqueID, from sequence: UInt64, beside: Machine.Beside? = nil
  ) throws(JournalError) -> LogReader {
    guard let state = index.states[strand] else { throw .unknownLog(strand) }
    return LogReader(
      store.folder(strand, state), from: max(sequence, state.first), knowing: store.frameCache,
      beside: beside)
  }

  /// The chain hash of the given log at the given event, or nil if the device does not have the event.
  ///
  /// The frame that holds the event is read unless its hashes are among the recent hashes.
  func hash(
    of log: UniqueID, at sequence: UInt64, recent: inout RecentHashes
  ) throws(JournalError) -> Digest? {
    guard let end = index.end(of: log), sequence <= end.sequence else { return nil }
    if sequence == end.sequence { return end.hash }
    let lineage = index.lineage(of: log)
    if sequence == 0 { return lineage.fork == nil ? Chain.zero(of: log) : nil }
    guard sequence >= lineage.first else { return nil }
    let strand = index.strand(of: log)
    if let hash = recent.hash(of: strand, at: sequence) { return hash }
    guard let frame = try frame(of: strand, at: sequence) else { return nil }
    recent.keep(frame, of: strand)
    return frame.events[Int(sequence - frame.firstSequence)].hash
  }

  func record(
    of strand: UniqueID, at sequence: UInt64
  ) throws(JournalError) -> EventRecord? {
    try frame(of: strand, at: sequence).map { $0.events[Int(sequence - $0.firstSequence)] }
  }

  /// The frame of the given strand that contains the given event.
  func frame(of strand: UniqueID, at sequence: UInt64) throws(JournalError) -> Frame? {
    guard sequence > 0 else { return nil }
    var reader = try self.reader(ofStrand: strand, from: sequence)
    do throws(DiskError) {
      guard let read = try reader.read(), read.firstSequence <= sequence else { return nil }
      return read.frame
    } catch {
      throw .disk(error)
    }
  }

  /// The chain hash of the given strand at one of its own events, or before the replica's first event.
  func hash(in strand: UniqueID, at sequence: UInt64) throws(JournalError) -> Digest? {
    guard let state = index.states[strand], sequence <= state.end.sequence else { return nil }
    if sequence == 0 { return strand == state.replica ? Chain.zero(of: strand) : nil }
    guard sequence >= state.first else { return nil }
    if sequence == state.end.sequence { return state.end.hash }
    if let hash = state.tail?.hashes[sequence] { return hash }
    return try record(of: strand, at: sequence)?.hash
  }

  /// The strand that holds the event with the given chain hash as one of its own events.
  func holder(
    of hash: Digest, at sequence: UInt64, in replica: UniqueID
  ) throws(JournalError) -> UniqueID? {
    for strand in index.strands(of: replica) {
      if try self.hash(in: strand, at: sequence) == hash { return strand }
    }
    return nil
  }

  /// The log end at the given event of the given strand, or before its first event; nil if its table is unknown.
  func end(of strand: UniqueID, at sequence: UInt64) throws(JournalError) -> LogEnd? {
    guard let state = index.states[strand] else { return nil }
    if sequence == state.end.sequence {
      return state.end.table.contains(UniqueID.none) ? nil : state.end
    }
    if sequence == 0 { return .zero(of: state.replica) }
    if sequence == state.first - 1 { return try frame(of: strand, at: state.first)?.start }
    // A frame of a tail does not repeat the table of the frames before it.
    let folder = store.folder(strand, state)
    return try onDisk { () throws(DiskError) in
      for segment in try folder.segments().reversed() where segment.first <= sequence {
        var scan = try folder.scan(segment)
        var chain = Chain()
        var before: LogEnd?
        // Each frame of a sealed file contains its table, so the frames before `wanted` need not be decoded.
        let wanted = segment.isTail ? 0 : sequence
        while let step = scan.next(from: wanted, &chain) {
          guard case .frame(let frame, _) = step else { continue }
          guard let start = before.flatMap({ $0.joins(frame) ? $0 : nil }) ?? frame.start else {
            continue
          }
          if frame.firstSequence <= sequence, sequence <= frame.lastSequence {
            return frame.end(before: Int(sequence - frame.firstSequence) + 1, after: start)
          }
          before = start.advanced(by: frame)
        }
      }
      return nil
    }
  }

  /// The strand from which the given strand forks.
  func trunk(of strand: UniqueID) throws(JournalError) -> UniqueID? {
    guard let state = index.states[strand], let base = state.base else { return nil }
    if let trunk = state.trunk { return trunk }
    // The trunk of a strand that is staged or has just been stored is not known yet.
    return try holder(of: base, at: state.first - 1, in: state.replica)
  }

  /// The chain hash at the given event of the given strand or of the strands that it follows.
  func pathHash(of strand: UniqueID, at sequence: UInt64) throws(JournalError) -> Digest? {
    guard let state = index.states[strand] else { return nil }
    if sequence >= state.first { return try hash(in: strand, at: sequence) }
    return try trunk(of: strand).flatMap { trunk throws(JournalError) in
      try pathHash(of: trunk, at: sequence)
    }
  }

  /// The chain hashes of the given strand's own readable events in a range.
  func hashes(
    of strand: UniqueID, in range: ClosedRange<UInt64>
  ) throws(JournalError) -> [UInt64: Digest] {
    guard let state = index.states[strand] else { return [:] }
    var hashes: [UInt64: Digest] = [:]
    if range.contains(0), strand == state.replica { hashes[0] = Chain.zero(of: strand) }
    guard range.lowerBound <= state.end.sequence, range.upperBound >= state.first else {
      return hashes
    }
    var reader = try self.reader(ofStrand: strand, from: range.lowerBound)
    do throws(DiskError) {
      while let read = try reader.read(), read.firstSequence <= range.upperBound {
        // The frames may extend beyond the range; the additional hashes do no harm.
        for event in read.events { hashes[event.sequence] = event.hash }
      }
    } catch {
      throw .disk(error)
    }
    return hashes
  }

  /// Whether all events of a hole can be read and join the events on both sides.
  ///
  /// A filled hole can still be listed just after a repair, or after a crash that occurred before the list was written.
  func isReadable(
    _ hole: ClosedRange<UInt64>, in strand: UniqueID, upTo end: UInt64
  ) throws(JournalError) -> Bool {
    let last = min(hole.upperBound + 1, end)
    var reader = try self.reader(ofStrand: strand, from: max(hole.lowerBound, 2) - 1)
    return try onDisk { () throws(DiskError) in
      guard var read = try reader.read(), read.firstSequence <= hole.lowerBound else {
        return false
      }
      while read.frame.lastSequence < last {
        guard let next = try reader.read(), next.isJoined else { return false }
        read = next
      }
      return true
    }
  }

  /// The strand that holds the last stored event of a frame, or the first strand of the replica if no event of the
  /// frame is stored.
  func strand(
    holding frame: borrowing Frame, of replica: UniqueID
  ) throws(JournalError) -> UniqueID {
    guard index.isForked(replica) else { return replica }
    for event in frame.events.reversed() {
      let strand = try holder(of: event.hash, at: event.sequence, in: replica)
      if let strand { return strand }
    }
    return replica
  }

  /// The events of the given frame of a forked replica, grouped by log.
  func logs(
    holding frame: borrowing Frame, of replica: UniqueID
  ) throws(JournalError) -> [UniqueID: ClosedRange<UInt64>] {
    let strand = try self.strand(holding: frame, of: replica)
    var logs: [UniqueID: ClosedRange<UInt64>] = [:]
    for sequence in frame.firstSequence...frame.lastSequence {
      let log = index.log(in: strand, at: sequence)
      logs[log] = (logs[log]?.lowerBound ?? sequence)...sequence
    }
    return logs
  }

  /// The key that signs the heads of the given replica's log.
  func publicKey(of replica: UniqueID) throws(JournalError) -> PublicKey {
    if let key = index.states[replica]?.publicKey { return key }
    let key = try frame(of: replica, at: 1)?.openingKey(of: replica)
    guard let key else { throw .wrongOpening(replica) }
    index.states[replica]?.publicKey = key
    return key
  }

  /// Whether a frame ends in a head that the replica signed.
  ///
  /// If the replica's key is not known, any head is accepted.
  func acceptsHead(of bytes: [UInt8], of replica: UniqueID) -> Bool {
    var chain = Chain()
    // Another check refuses unreadable frames.
    guard let frame = try? Frame.decode(bytes.span, at: 0, &chain), let last = frame.events.last
    else { return true }
    guard let head = frame.head else { return false }
    guard let key = try? publicKey(of: replica) else { return true }
    return head.proves(replica, upTo: last, by: key)
  }
}
