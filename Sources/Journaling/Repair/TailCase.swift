/// The state of the end of a tail, as in the table *The end of a tail* in section 7.1 of `protocol.md`.
package enum TailCase: String, CaseIterable, Sendable {
  case sound, torn, damaged, moved

  /// The bytes after the last frame that counts.
  package enum Rest: String, CaseIterable, Sendable {
    case nothing
    /// Fewer bytes than a frame header, or the header of the log's next frame with a stated length that extends past
    /// the end of the file.
    case cutShort = "a write cut short"
    case other = "other bytes"

    /// - Parameters:
    ///   - bytes: The bytes after the last frame.
    ///   - end: The end of the log at the last frame.
    init(_ bytes: [UInt8], behind end: LogEnd) {
      if bytes.isEmpty {
        self = .nothing
      } else if bytes.count < FrameEnvelope.byteCount {
        self = .cutShort
      } else {
        // The header has its own checksum, so a readable header states the length that was written.
        let next = try? FrameEnvelope(bytes.span, at: 0)
        let isCut = next.map { next in
          next.length > bytes.count && next.replica == end.replica
            && next.firstSequence == end.sequence + 1
        }
        self = isCut ?? false ? .cutShort : .other
      }
    }
  }

  /// - Parameters:
  ///   - hasSkippedBytes: Whether a frame that counts is preceded by bytes that are not such a frame although no event
  ///     is missing there, or whether frames after a hole are skipped.
  ///   - rest: The bytes after the last frame.
  package init(hasSkippedBytes: Bool, _ rest: Rest) {
    switch (hasSkippedBytes, rest) {
    case (true, _): self = .moved
    case (false, .nothing): self = .sound
    case (false, .cutShort): self = .torn
    case (false, .other): self = .damaged
    }
  }

  /// Whether acknowledged events, which peers may hold, can be missing at the end.
  package var isDamage: Bool {
    switch self {
    case .sound, .torn: false
    case .damaged, .moved: true
    }
  }
}
