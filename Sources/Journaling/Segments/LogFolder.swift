import Bytes
import Platform

/// The segment files of one log.
struct LogFolder: Sendable {
  let path: Path
  /// The replica that wrote the log.
  let replica: UniqueID
  let disk: any Disk

  /// The files in the folder.
  struct Listing {
    /// The files to read, in the order of their events.
    ///
    /// A sealed file is omitted if another sealed file contains all of its events. Tails are always included, because
    /// only the content of a tail shows where it ends.
    let counting: [SegmentName]
    /// The sealed files left out of ``counting``.
    let covered: [SegmentName]
    /// Temporary files of interrupted writes.
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
    // If a sealed file and a tail have the same first event, the sealed file is newer and comes first.
    let files = (kept + tails.map(SegmentName.tail)).enumerated().sorted {
      ($0.element.first, $0.offset) < ($1.element.first, $1.offset)
    }
    return Listing(counting: files.map(\.element), covered: covered, drafts: drafts)
  }

  /// The files to read, in the order of their events.
  func segments() throws(DiskError) -> [SegmentName] { try listing().counting }

  func path(of segment: SegmentName) -> Path { path / segment.string }

  /// Reads a file and returns a scan of its frames.
  func scan(
    _ segment: SegmentName, knowing known: FrameCache = FrameCache(),
    beside: Machine.Beside? = nil
  ) throws(DiskError) -> FileScan {
    scan(try contents(of: segment), of: segment, knowing: known, beside: beside)
  }

  /// Returns a scan of the bytes of a file, starting after the part that is in the tail cache.
  func scan(
    _ bytes: [UInt8], of segment: SegmentName, behind tail: TailCache.Known? = nil,
    knowing known: FrameCache = FrameCache(), beside: Machine.Beside? = nil
  ) -> FileScan {
    let order = tail?.order ?? FrameOrder(of: replica, named: segment.events)
    return FileScan(bytes, from: tail?.length ?? 0, in: order, knowing: known, beside: beside)
  }

  /// The bytes of a file; none if there is a folder in its place, so that the rest of the logs is still read.
  func contents(of segment: SegmentName) throws(DiskError) -> [UInt8] {
    do throws(DiskError) {
      return try disk.contents(of: path(of: segment), limit: Limit.fileBytes)
    } catch {
      guard error.reason == .isADirectory else { throw error }
      return []
    }
  }

  /// Opens a file for reading; nil if there is a folder in its place.
  func open(_ segment: SegmentName) throws(DiskError) -> OpenFile? {
    do throws(DiskError) {
      return try OpenFile(path(of: segment), .read, on: disk)
    } catch {
      guard error.reason == .isADirectory else { throw error }
      return nil
    }
  }
}
