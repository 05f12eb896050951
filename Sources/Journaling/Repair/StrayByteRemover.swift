import Bytes
import Platform

/// Removes bytes outside frames from files that still hold all of their events.
///
/// Such a file lacks no events, so no repair with frames from a peer would ever replace it.
struct StrayByteRemover {
  let store: SegmentStore
  let index: LogIndex
  let surveyor: BranchSurveyor
  let quarantine: Quarantine
  let repairer: LossRepairer

  /// Copies bytes outside frames into quarantine, unless they are all zeros, and rewrites the files without them.
  func removeStrayBytes() throws(JournalError) -> [Repair] {
    guard !store.isPoisoned else { throw .poisoned }
    var repairs: [Repair] = []
    for strand in index.states.keys.sorted() {
      guard let state = index.states[strand] else { continue }
      let folder = store.folder(strand, state)
      let made = try clean(folder, of: strand)
      if !made.isEmpty { try repairer.reread(strand) }
      repairs += made
    }
    if !repairs.isEmpty { try surveyor.findBranches() }
    return repairs
  }

  private func clean(
    _ folder: LogFolder, of strand: UniqueID
  ) throws(JournalError) -> [Repair] {
    var repairs: [Repair] = []
    for segment in try onDisk({ () throws(DiskError) in try folder.segments() }) {
      let bytes = try onDisk { () throws(DiskError) in try folder.contents(of: segment) }
      guard let strays = Self.strays(in: folder.scan(bytes, of: segment), of: segment) else {
        continue
      }
      var (kept, offset): ([UInt8], Int) = ([], 0)
      for stray in strays {
        kept += bytes[offset..<stray.lowerBound]
        offset = stray.upperBound
        let copy = try quarantine.setAside(
          Array(bytes[stray]), behind: stray.lowerBound, of: segment, strand)
        guard let copy else { continue }
        repairs.append(
          Repair(
            file: folder.path(of: segment),
            kind: .trimmed(byteCount: stray.count, copiedTo: copy)))
      }
      kept += bytes[offset...]
      try store.writing { () throws(DiskError) in
        try store.disk.replace(folder.path(of: segment), with: kept)
      }
      repairs.append(Repair(file: folder.path(of: segment), kind: .renewed))
    }
    return repairs
  }

  /// The bytes outside frames in a file; nil if there are none, or if events of the file are missing.
  ///
  /// A frame of this log that is out of place may belong in a hole, so a file with such a frame is not changed.
  private static func strays(in file: FileScan, of segment: SegmentName) -> [Range<Int>]? {
    var chain = Chain()
    var scan = file
    var strays: [Range<Int>] = []
    var last: EventRecord?
    while let step = scan.next(from: 0, &chain) {
      switch step {
      case .passed: return nil
      case .gap(let range, _, _):
        guard scan.displaced == nil else { return nil }
        strays.append(range)
      case .frame(let frame, _):
        if let last {
          guard frame.firstSequence == last.sequence + 1, frame.information.hash == last.hash
          else { return nil }
        } else if frame.firstSequence != segment.first {
          return nil
        }
        last = frame.events.last
      }
    }
    guard !strays.isEmpty, let last, scan.newerVersion == nil else { return nil }
    if case .sealed(let events) = segment, last.sequence != events.upperBound { return nil }
    return strays
  }
}
