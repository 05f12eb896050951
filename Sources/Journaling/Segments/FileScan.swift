import Bytes
import Platform

/// Goes through the frames of one file, and past what is none.
struct FileScan {
  enum Step {
    case frame(Frame, at: Int)
    /// A frame that ends before the events asked for, not unpacked.
    case passed(FrameEnvelope)
    /// Bytes that are no frame, and whether no frame follows them.
    case gap(Range<Int>, FrameError, isEnd: Bool)
  }

  let bytes: [UInt8]
  private(set) var offset: Int
  /// The version of a frame that was come upon and is newer than what is known here.
  private(set) var newerVersion: UInt8?
  /// A frame that was found behind a gap.
  private var found: Frame?
  /// The frame that begins the last gap, where it is the log's and lies out of place.
  private(set) var displaced: Frame?
  /// The same, where what comes for a hole before it may show that it is in its place, and others are not.
  private(set) var kept: Frame?
  /// Where the frame before begins, if it was passed over.
  private var passed: Int?
  /// What need not be unpacked and checked again.
  private let known: FrameCache
  /// Runs what unpacks frames ahead; nil where each is unpacked when it is come to.
  private var beside: Machine.Beside?
  private var ahead: FramesAhead?
  /// What the frames gone through tell of the next one.
  private(set) var order: FrameOrder

  /// Begins where a frame may begin, behind those that the order tells of.
  init(
    _ bytes: [UInt8], from offset: Int = 0, in order: FrameOrder,
    knowing known: FrameCache = FrameCache(), beside: Machine.Beside? = nil
  ) {
    (self.bytes, self.offset, self.order, self.known) = (bytes, offset, order, known)
    self.beside = beside
  }

  /// The next step, or nil at the end; zeros there are nothing to read.
  mutating func next(from sequence: UInt64, _ chain: inout Chain) -> Step? {
    (displaced, kept) = (nil, nil)
    if let frame = found.take() { return step(over: frame, &chain) }
    guard offset < bytes.count else { return nil }
    let failure: FrameError
    do throws(FrameError) {
      let envelope = try FrameEnvelope(bytes.span, at: offset)
      if envelope.lastSequence < sequence, envelope.length <= bytes.count - offset,
        isBoundary(offset + envelope.length), order.owns(envelope)
      {
        passed = offset
        offset += envelope.length
        order.follow(envelope)
        return .passed(envelope)
      }
      if let frame = prefetched() { return step(over: frame, &chain) }
      return step(over: try Frame.decode(bytes.span, at: offset, &chain), &chain)
    } catch {
      failure = error
    }
    return gap(failure, from: offset + 1, &chain)
  }

  /// The frame that is come to, where it was unpacked before.
  private mutating func prefetched() -> Frame? {
    if let beside {
      ahead = FramesAhead(bytes, from: offset, knowing: known, beside: beside)
      self.beside = nil
    }
    return ahead?.frame(at: offset) ?? known.frame(in: bytes, at: offset)
  }

  /// The last frame, found by hopping over the others by their lengths, or nil where that leads nowhere.
  func lastFrame(_ chain: inout Chain) -> Frame? {
    var offset = 0
    while offset < bytes.count {
      // Damage, zeros behind the last frame or another log's frame: the caller reads all of the file.
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
    guard verdict.counts else {
      if verdict.isMisplaced {
        self.order.pass(frame)
        displaced = frame
        kept = verdict == .contradicted || !order.isRooted ? frame : nil
      }
      return gap(verdict == .foreign ? .foreign : .misplaced, from: end, &chain)
    }
    self.order.follow(frame, verdict)
    passed = nil
    defer { offset = end }
    return .frame(frame, at: offset)
  }

  /// The next frame of the log, from a place on; another one's says nothing of this one.
  private mutating func nextOwn(from place: Int, _ chain: inout Chain) -> Frame? {
    var place = place
    while let (next, offset) = firstFrame(from: place, &chain) {
      if order.owns(next) { return next }
      place = offset + next.length
    }
    return nil
  }

  /// Whether a frame may end there: at the end, before another header or before zeros.
  private func isBoundary(_ place: Int) -> Bool {
    place == bytes.count || bytes[place] == Self.magic[0] || bytes[place] == 0
  }

  /// Looks for the next whole frame.
  private mutating func gap(
    _ failure: FrameError, from place: Int, _ chain: inout Chain
  ) -> Step? {
    let start = offset
    note(failure)
    // What lies behind has to go on where that ended.
    if let place = passed.take() { order.lookAt(try? Frame.decode(bytes.span, at: place, &chain)) }
    if let next = firstFrame(from: place, &chain) {
      (found, offset) = (next.frame, next.offset)
      return .gap(start..<offset, failure, isEnd: false)
    }
    offset = bytes.count
    guard bytes[start...].contains(where: { $0 != 0 }) else { return nil }
    return .gap(start..<bytes.count, failure, isEnd: true)
  }

  /// The first whole frame that begins at a place or behind it.
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
          // Not a frame either: the search goes on.
          note(error)
        }
      }
      place += 1
    }
    return nil
  }

  /// A header has a checksum of its own, so damage does not tell a version.
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
