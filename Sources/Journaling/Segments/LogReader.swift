internal import Bytes
package import Platform

/// A frame that ``LogReader`` returned, with its position.
package struct ReadFrame: Sendable {
  package var frame: Frame
  /// The index of the frame's first event that counts.
  ///
  /// The events before it were not requested, have already been returned, or are in the name of a sealed file that
  /// lacks them.
  package var firstNew: Int
  package var file: Path
  package var offset: Int
  /// Whether the frame continues the frame before it, and no event between them is missing.
  package var isJoined: Bool

  /// The events of the frame that count, of which there is at least one.
  package var events: ArraySlice<EventRecord> { frame.events[firstNew...] }
  /// The sequence of the frame's first event that counts.
  package var firstSequence: UInt64 { frame.firstSequence + UInt64(firstNew) }
}

/// Returns the frames of a log in order and skips damage.
///
/// A writer may seal the tail while the log is being read. If a file has disappeared or events are missing, the folder
/// is listed again.
package struct LogReader: ~Copyable {
  /// The damage found so far.
  package private(set) var damage: [Damage] = []
  /// The sequence of the next event to return.
  package private(set) var next: UInt64

  private let folder: LogFolder
  private var chain = Chain()
  /// The files of the last listing, and those of them that have not been read yet.
  private var listed: [SegmentName]?
  private var waiting: [SegmentName] = []
  private var current: (name: SegmentName, scan: FileScan)?
  /// The end of the last frame, without its table.
  private var last: (sequence: UInt64, hash: Digest)?
  private var relistings = 0
  private var relistedFor: UInt64?
  private let known: FrameCache
  private let beside: Machine.Beside?

  init(
    _ folder: LogFolder, from sequence: UInt64, knowing known: FrameCache = FrameCache(),
    beside: Machine.Beside? = nil
  ) {
    self.folder = folder
    (self.known, self.beside) = (known, beside)
    next = max(1, sequence)
  }

  /// Returns the next frame with events that have not been returned yet, or nil at the end of the log.
  package mutating func read() throws(DiskError) -> ReadFrame? {
    while true {
      guard try openNext() else { return nil }
      guard let current else { continue }
      switch advance() {
      case nil: finish(current.name)
      case .passed?: continue
      case .gap(let range, let error, let isEnd)?:
        note(range, error, isEnd: isEnd, of: current.name)
      case .frame(let frame, let offset)?:
        guard frame.lastSequence >= next else { continue }
        if frame.firstSequence > next, relistedFor != next {
          relistedFor = next
          // A listing that was made during sealing may lack both the old and the new file.
          let segments = try folder.segments()
          if segments != listed {
            self.current = nil
            expect(segments)
            continue
          }
        }
        return take(frame, at: offset, of: current.name)
      }
    }
  }

  /// The bytes of the last returned frame, as stored in its file.
  package func bytes(of read: ReadFrame) -> [UInt8] {
    guard let current else { return [] }
    return Array(current.scan.bytes[read.offset..<read.offset + read.frame.length])
  }

  private mutating func advance() -> FileScan.Step? {
    guard var opened = current.take() else { return nil }
    let step = opened.scan.next(from: next, &chain)
    current = opened
    return step
  }

  /// Opens the next file if none is open.
  ///
  /// - Returns: false if no file is left.
  private mutating func openNext() throws(DiskError) -> Bool {
    if current != nil { return true }
    if listed == nil { expect(try folder.segments()) }
    guard let name = waiting.first else { return false }
    waiting.removeFirst()
    do throws(DiskError) {
      current = (name, try folder.scan(name, knowing: known, beside: beside))
    } catch {
      guard error.reason == .notFound, relistings < Self.patience else { throw error }
      relistings += 1
      expect(try folder.segments())
    }
    return true
  }

  /// Prepares to read the files of a new listing that may hold the next event or later events.
  private mutating func expect(_ segments: [SegmentName]) {
    listed = segments
    waiting = segments.filter { [next] segment in
      if case .sealed(let events) = segment { events.upperBound >= next } else { true }
    }
  }

  private mutating func finish(_ name: SegmentName) {
    current = nil
    guard case .sealed(let events) = name, next <= events.upperBound else { return }
    // The file lacks events that are in the range of its name.
    let start = max(next, events.lowerBound)
    damage.append(
      Damage(
        file: folder.path(of: name), offset: 0, kind: .missing(start...events.upperBound)))
    next = events.upperBound + 1
  }

  private mutating func note(
    _ range: Range<Int>, _ error: FrameError, isEnd: Bool, of name: SegmentName
  ) {
    var what = Damage.Kind.hole(byteCount: range.count, error)
    // A tail is created together with its first frame, so a torn write can only be after that frame.
    if isEnd, range.lowerBound > 0, case .tail = name {
      what = .tornTail(byteCount: range.count)
    }
    let found = Damage(file: folder.path(of: name), offset: range.lowerBound, kind: what)
    // After a new listing, the same file may be read again.
    if !damage.contains(found) { damage.append(found) }
  }

  private mutating func take(
    _ frame: Frame, at offset: Int, of name: SegmentName
  ) -> ReadFrame {
    let file = folder.path(of: name)
    let firstNew = Int(max(next, frame.firstSequence) - frame.firstSequence)
    let isJoined = joins(frame)
    if frame.firstSequence > next {
      let missing = next...frame.firstSequence - 1
      damage.append(Damage(file: file, offset: offset, kind: .missing(missing)))
    } else if !isJoined, last != nil {
      damage.append(Damage(file: file, offset: offset, kind: .unjoined))
    }
    // The name of a sealed file can contain events that the file lacks. In that case, this frame does not count as
    // joined even if it contains these events.
    let isNext = last.map { $0.sequence + 1 == next } ?? true
    next = frame.lastSequence + 1
    last = frame.events.last.map { ($0.sequence, $0.hash) }
    return ReadFrame(
      frame: frame, firstNew: firstNew, file: file, offset: offset,
      isJoined: isJoined && isNext)
  }

  private func joins(_ frame: Frame) -> Bool {
    guard let last else { return next == frame.firstSequence }
    if last.sequence + 1 == frame.firstSequence { return last.hash == frame.information.hash }
    guard last.sequence >= frame.firstSequence, last.sequence <= frame.lastSequence else {
      return false
    }
    return frame.events[Int(last.sequence - frame.firstSequence)].hash == last.hash
  }

  private static let patience = 8
}
