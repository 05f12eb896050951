package import Bytes
internal import Journaling

/// Takes from a holder what another lacks.
package struct Export {
  private let holder: any Holder
  /// How many events of each log have gone out.
  package private(set) var sent: [UniqueID: UInt64] = [:]
  package private(set) var problems: [SyncProblem] = []

  package init(_ holder: any Holder) { self.holder = holder }

  /// Gives each frame that another lacks, log after log.
  ///
  /// A log whose other holder has something else at the place it has come to is left out: more of
  /// ours would not join it.
  package mutating func run(
    _ wants: [Want], of other: Frontier,
    _ visit: (UniqueID, [UInt8], ClosedRange<UInt64>) throws(SyncError) -> Void
  ) throws(SyncError) {
    for want in wants {
      guard try agrees(with: other[want.log]) else {
        problems.append(.log(.forked(want.log, sequence: want.after)))
        continue
      }
      var count: UInt64 = 0
      try holder.forEachFrame(of: want.log, after: want.after) { (frame) throws(SyncError) in
        let events = try Self.events(of: frame, in: want.log)
        let new = want.newCount(in: events)
        guard new > 0 else { return }
        try visit(want.log, frame, events)
        count += new
      }
      if count > 0 { sent[want.log, default: 0] += count }
    }
  }

  private func agrees(with place: Place?) throws(SyncError) -> Bool {
    guard let place, place.sequence > 0 else { return true }
    let ours = try inJournal { () throws(JournalError) in
      try holder.hash(of: place.log, at: place.sequence)
    }
    // Where it is lost here, whoever takes the frames sees whether they join.
    return ours.map { $0 == place.hash } ?? true
  }

  private static func events(
    of frame: [UInt8], in log: UniqueID
  ) throws(SyncError) -> ClosedRange<UInt64> {
    // Our own files may have been damaged since they were opened.
    guard let label = FrameLabel(frame.span, at: 0) else {
      throw .journal(.refused(log, .envelope))
    }
    return label.events
  }
}
