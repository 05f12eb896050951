import Bytes

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
  /// What need not be unpacked and checked again.
  private let known: KnownFrames

  /// Begins where a frame may begin.
  init(_ bytes: [UInt8], from offset: Int = 0, knowing known: KnownFrames = KnownFrames()) {
    (self.bytes, self.offset, self.known) = (bytes, offset, known)
  }

  /// The next step, or nil at the end; zeros there are room that was set aside.
  mutating func next(from sequence: UInt64, _ chain: inout Chain) -> Step? {
    if let frame = found.take() { return step(over: frame) }
    guard offset < bytes.count else { return nil }
    let failure: FrameError
    do throws(FrameError) {
      let envelope = try FrameEnvelope(bytes.span, at: offset)
      if envelope.lastSequence < sequence, envelope.length <= bytes.count - offset,
        isBoundary(offset + envelope.length)
      {
        offset += envelope.length
        return .passed(envelope)
      }
      if let frame = known.frame(in: bytes, at: offset) { return step(over: frame) }
      return step(over: try Frame.decode(bytes.span, at: offset, &chain))
    } catch {
      failure = error
    }
    return gap(failure, &chain)
  }

  /// The last frame, found by hopping over the others by their lengths, or nil where that leads nowhere.
  func lastFrame(_ chain: inout Chain) -> Frame? {
    var offset = 0
    while offset < bytes.count {
      // Damage, or zeros behind the last frame: whoever asks looks at all of it.
      guard let envelope = try? FrameEnvelope(bytes.span, at: offset) else { return nil }
      if offset + envelope.length >= bytes.count {
        return try? Frame.decode(bytes.span, at: offset, &chain)
      }
      offset += envelope.length
    }
    return nil
  }

  private mutating func step(over frame: Frame) -> Step {
    defer { offset += frame.length }
    return .frame(frame, at: offset)
  }

  /// Whether a frame may end there: at the end, before another header or before zeros.
  private func isBoundary(_ place: Int) -> Bool {
    place == bytes.count || bytes[place] == Self.magic[0] || bytes[place] == 0
  }

  /// Looks for the next whole frame.
  private mutating func gap(_ failure: FrameError, _ chain: inout Chain) -> Step? {
    let start = offset
    note(failure)
    var place = start + 1
    while let next = bytes[min(place, bytes.count)...].firstIndex(of: Self.magic[0]) {
      place = next
      guard place + FrameEnvelope.byteCount <= bytes.count else { break }
      if hasMagic(at: place) {
        do throws(FrameError) {
          found = try Frame.decode(bytes.span, at: place, &chain)
          offset = place
          return .gap(start..<place, failure, isEnd: false)
        } catch {
          // Not a frame either: the search goes on.
          note(error)
        }
      }
      place += 1
    }
    offset = bytes.count
    guard bytes[start...].contains(where: { $0 != 0 }) else { return nil }
    return .gap(start..<bytes.count, failure, isEnd: true)
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
