import Bytes
import Platform

/// Reads the frames of one file in order and skips damaged bytes.
struct FileScan {
  enum Step {
    case frame(Frame, at: Int)
    /// A frame that ends before the requested events, and was not unpacked.
    case passed(FrameEnvelope)
    /// Bytes without a frame that counts, and whether no whole frame follows them.
    case gap(Range<Int>, FrameError, isEnd: Bool)
  }

  let bytes: [UInt8]
  private(set) var offset: Int
  /// The newest format version found so far that this program does not support.
  private(set) var newerVersion: UInt8?
  /// The frame found after a gap, which is returned next.
  private var found: Frame?
  /// The frame at the start of the last gap, if it belongs to the log but is out of place.
  private(set) var displaced: Frame?
  /// The frame in ``displaced``, if events that fill a hole before it may still show that the frame is in place.
  private(set) var kept: Frame?
  /// The offset and the order at the start, until a frame is unpacked.
  private var start: (offset: Int, order: FrameOrder)?
  /// Frames that need not be unpacked and checked again.
  private let known: FrameCache
  /// Runs the unpacking of later frames on another thread; nil to unpack each frame when it is reached.
  private var beside: Machine.Beside?
  private var ahead: FramesAhead?
  /// The state that determines whether the next frame counts.
  private(set) var order: FrameOrder

  /// Starts at an offset where a frame may begin; `order` describes the frames before it.
  init(
    _ bytes: [UInt8], from offset: Int = 0, in order: FrameOrder,
    knowing known: FrameCache = FrameCache(), beside: Machine.Beside? = nil
  ) {
    (self.bytes, self.offset, self.order, self.known) = (bytes, offset, order, known)
    (self.beside, start) = (beside, (offset, order))
  }

  /// Returns the next step, or nil at the end of the file.
  ///
  /// Frames that end before `sequence` need not be unpacked while they continue each other from the start. If the
  /// first frame after them does not continue them, they are read again, because only their content shows which ones
  /// count. Zeros at the end of the file are not reported.
  mutating func next(from sequence: UInt64, _ chain: inout Chain) -> Step? {
    (displaced, kept) = (nil, nil)
    if let frame = found.take() { return step(over: frame, &chain) }
    guard offset < bytes.count else { return nil }
    let failure: FrameError
    do throws(FrameError) {
      let envelope = try FrameEnvelope(bytes.span, at: offset)
      if start != nil, envelope.lastSequence < sequence, envelope.length <= bytes.count - offset,
        isBoundary(offset + envelope.length), order.continues(with: envelope)
      {
        offset += envelope.length
        order.follow(envelope)
        return .passed(envelope)
      }
      if let frame = prefetched() { return step(over: frame, &chain) }
      return step(over: try Frame.decode(bytes.span, at: offset, &chain), &chain)
    } catch {
      failure = error
    }
    if bytes[offset...].contains(where: { $0 != 0 }), readsAgain() {
      return next(from: 0, &chain)
    }
    return gap(failure, from: offset + 1, &chain)
  }

  /// Returns the frame at the current offset if it has been unpacked already.
  private mutating func prefetched() -> Frame? {
    if let beside {
      ahead = FramesAhead(bytes, from: offset, knowing: known, beside: beside)
      self.beside = nil
    }
    return ahead?.frame(at: offset) ?? known.frame(in: bytes, at: offset)
  }

  /// Finds the last frame by using the lengths of the frames before it; nil if the lengths do not lead to it.
  func lastFrame(_ chain: inout Chain) -> Frame? {
    var offset = 0
    while offset < bytes.count {
      // If damage, a frame of another log, or zeros follow the last frame, the caller reads the whole file.
      guard let envelope = try? FrameEnvelope(bytes.span, at: offset), order.owns(envelope) else {
        return nil
      }
      if offset + envelope.length >= bytes.count {
        return try? Frame.decode(bytes.span, at: offset, &chain)
      }
      offset += envelope.length
    }
    return nil
  }

  private mutating func step(over frame: Frame, _ chain: inout Chain) -> Step? {
    let (order, end) = (order, offset + frame.length)
    let verdict = order.verdict(on: frame) { nextOwn(from: end, &chain) }
    if verdict != .joined, readsAgain() { return next(from: 0, &chain) }
    start = nil
    guard verdict.counts else {
      if verdict.isMisplaced {
        self.order.pass(frame)
        displaced = frame
        kept = verdict == .contradicted || !order.isRooted ? frame : nil
      }
      return gap(verdict == .foreign ? .foreign : .misplaced, from: end, &chain)
    }
    self.order.follow(frame, verdict)
    defer { offset = end }
    return .frame(frame, at: offset)
  }

  /// Returns to the start if frames were skipped there, and skips no more frames from now on.
  private mutating func readsAgain() -> Bool {
    guard let start = start.take(), start.offset < offset else { return false }
    (offset, order) = start
    return true
  }

  /// Returns the next frame of this log at or after an offset; frames of other logs are skipped.
  private mutating func nextOwn(from place: Int, _ chain: inout Chain) -> Frame? {
    var place = place
    while let (next, offset) = firstFrame(from: place, &chain) {
      if order.owns(next) { return next }
      place = offset + next.length
    }
    return nil
  }

  /// Whether a frame may end at an offset: at the end of the file, before another header, or before zeros.
  private func isBoundary(_ place: Int) -> Bool {
    place == bytes.count || bytes[place] == Self.magic[0] || bytes[place] == 0
  }

  /// Skips to the next whole frame, and returns the gap before it.
  private mutating func gap(
    _ failure: FrameError, from place: Int, _ chain: inout Chain
  ) -> Step? {
    let start = offset
    note(failure)
    if let next = firstFrame(from: place, &chain) {
      (found, offset) = (next.frame, next.offset)
      return .gap(start..<offset, failure, isEnd: false)
    }
    offset = bytes.count
    guard bytes[start...].contains(where: { $0 != 0 }) else { return nil }
    return .gap(start..<bytes.count, failure, isEnd: true)
  }

  /// Returns the first whole frame that begins at or after the given offset.
  private mutating func firstFrame(
    from place: Int, _ chain: inout Chain
  ) -> (frame: Frame, offset: Int)? {
    var place = place
    while let next = bytes[min(place, bytes.count)...].firstIndex(of: Self.magic[0]) {
      place = next
      guard place + FrameEnvelope.byteCount <= bytes.count else { return nil }
      if hasMagic(at: place) {
        do throws(FrameError) {
          return (try Frame.decode(bytes.span, at: place, &chain), place)
        } catch {
          // No frame begins here; the search continues.
          note(error)
        }
      }
      place += 1
    }
    return nil
  }

  /// Records the version of a frame too new to read.
  ///
  /// The header has its own checksum, so damage cannot produce a false version.
  private mutating func note(_ failure: FrameError) {
    if case .version(let version) = failure, version > 0 { newerVersion = version }
  }

  private func hasMagic(at place: Int) -> Bool {
    for index in Self.magic.indices where bytes[place + index] != Self.magic[index] {
      return false
    }
    return true
  }

  private static let magic: [UInt8] = [0x1f, 0x8b, 8, 6]
}
