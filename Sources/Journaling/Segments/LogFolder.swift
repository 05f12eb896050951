import Bytes
import Platform

/// The segment files of one log.
struct LogFolder: Sendable {
  let path: Path
  /// Who wrote it.
  let replica: UniqueID
  let disk: any Disk

  /// What lies in it.
  struct Listing {
    /// The files that count, in the order of their events.
    ///
    /// A sealed file whose events another holds, too, is left out. A tail is always in: how far it
    /// reaches only its content tells.
    let counting: [SegmentName]
    /// The sealed files that are left out.
    let covered: [SegmentName]
    /// Writes that were cut short before they had a name.
    let drafts: [String]
  }

  func listing() throws(DiskError) -> Listing {
    var sealed: [ClosedRange<UInt64>] = []
    var tails: [UInt64] = []
    var drafts: [String] = []
    for name in try disk.list(path) {
      switch SegmentName(name) {
      case .sealed(let events)?: sealed.append(events)
      case .tail(let first)?: tails.append(first)
      case nil: if name.hasSuffix(".gz.draft") { drafts.append(name) }
      }
    }
    sealed.sort { ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound) }
    var (kept, covered): ([SegmentName], [SegmentName]) = ([], [])
    var reached: UInt64 = 0
    for events in sealed {
      if events.upperBound > reached {
        kept.append(.sealed(events))
        reached = events.upperBound
      } else {
        covered.append(.sealed(events))
      }
    }
    // At the same first event the sealed file is the younger one and goes first.
    let files = (kept + tails.map(SegmentName.tail)).enumerated().sorted {
      ($0.element.first, $0.offset) < ($1.element.first, $1.offset)
    }
    return Listing(counting: files.map(\.element), covered: covered, drafts: drafts)
  }

  /// The files that count, in the order of their events.
  func segments() throws(DiskError) -> [SegmentName] { try listing().counting }

  func path(of segment: SegmentName) -> Path { path / segment.string }

  /// Goes through the frames of one of its files.
  func scan(
    _ segment: SegmentName, knowing known: FrameCache = FrameCache(),
    beside: Machine.Beside? = nil
  ) throws(DiskError) -> FileScan {
    scan(try contents(of: segment), of: segment, knowing: known, beside: beside)
  }

  /// Goes through what was read of one of its files, behind what is known of it.
  func scan(
    _ bytes: [UInt8], of segment: SegmentName, behind tail: TailCache.Known? = nil,
    knowing known: FrameCache = FrameCache(), beside: Machine.Beside? = nil
  ) -> FileScan {
    let order = tail?.order ?? FrameOrder(of: replica, named: segment.events)
    return FileScan(bytes, from: tail?.length ?? 0, in: order, knowing: known, beside: beside)
  }

  func contents(of segment: SegmentName) throws(DiskError) -> [UInt8] {
    try disk.contents(of: path(of: segment), limit: Limit.fileBytes)
  }
}
