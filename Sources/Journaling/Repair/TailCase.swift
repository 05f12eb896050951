/// What the end of a file that grows shows, as the table *The end of a tail* in section 7.1 of `protocol.md` has it.
package enum TailCase: String, CaseIterable, Sendable {
  case sound, torn, damaged, moved

  /// What lies behind the last frame that counts.
  package enum Rest: String, CaseIterable, Sendable {
    case nothing
    /// Fewer bytes than a frame's header has, or a right header that tells more bytes than there are.
    case cutShort = "a write cut short"
    case other = "other bytes"

    init(_ bytes: [UInt8]) {
      if bytes.isEmpty {
        self = .nothing
      } else if bytes.count < FrameEnvelope.byteCount {
        self = .cutShort
      } else {
        // The header has a checksum of its own, so one that reads tells the length it was written with.
        let envelope = try? FrameEnvelope(bytes.span, at: 0)
        self = envelope.map { $0.length > bytes.count } ?? false ? .cutShort : .other
      }
    }
  }

  /// - Parameters:
  ///   - hasStrayBytes: Whether bytes that are no frame lie before a frame, though no event is missing there.
  ///   - rest: What lies behind the last frame.
  package init(hasStrayBytes: Bool, _ rest: Rest) {
    switch (hasStrayBytes, rest) {
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
