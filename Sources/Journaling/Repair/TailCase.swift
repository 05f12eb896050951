/// What the end of a file that grows shows, as the table *The end of a tail* in section 7.1 of `protocol.md` has it.
package enum TailCase: String, CaseIterable, Sendable {
  case sound, torn, damaged, moved

  /// What lies behind the last frame that counts.
  package enum Rest: String, CaseIterable, Sendable {
    case nothing
    /// Fewer bytes than a frame's header has, or the header of the log's next frame, which tells more bytes than there
    /// are.
    case cutShort = "a write cut short"
    case other = "other bytes"

    /// - Parameters:
    ///   - bytes: What lies there.
    ///   - end: The log before it.
    init(_ bytes: [UInt8], behind end: LogEnd) {
      if bytes.isEmpty {
        self = .nothing
      } else if bytes.count < FrameEnvelope.byteCount {
        self = .cutShort
      } else {
        // The header has a checksum of its own, so one that reads tells the length it was written with.
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
  ///   - hasSkippedBytes: Whether bytes that hold no frame that counts lie before one that does, though no event is
  ///     missing there, or frames behind a hole are passed over.
  ///   - rest: What lies behind the last frame.
  package init(hasSkippedBytes: Bool, _ rest: Rest) {
    switch (hasSkippedBytes, rest) {
    case (true, _): self = .moved
    case (false, .nothing): self = .sound
    case (false, .cutShort): self = .torn
    case (false, .other): self = .damaged
    }
  }

  /// Whether events that were acknowledged, and that others may hold, can have stood at the end.
  package var isDamage: Bool {
    switch self {
    case .sound, .torn: false
    case .damaged, .moved: true
    }
  }
}
