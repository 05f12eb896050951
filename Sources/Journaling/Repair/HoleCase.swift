/// The cases of a hole for which frames have arrived.
///
/// The cases are the rows of the table *Filling a hole* in section 7.1 of `protocol.md`.
package enum HoleCase: String, CaseIterable, Sendable {
  case unjoined, forked, unproved, sealed, reaching, open, partial

  /// The relation of the received frames to the frames before and after the hole.
  package enum Joint: String, CaseIterable, Sendable {
    /// The received frames do not continue the log before the hole.
    case apart
    /// The received frames continue the log before the hole, and any frames after the hole continue them.
    case joins
    /// The received frames continue the log before the hole, and the frames after the hole follow different events.
    case contradicts
  }

  package enum Action: String, Sendable {
    /// Change nothing.
    case leave
    /// Move the frames after the hole to the folder of a branch, and decide again without them.
    case part
    /// Replace the files around the hole with sealed files, and with a tail for the events that no head proves.
    case seal
    /// Include the next file, which may end in the head that is needed, and decide again.
    case widen
    /// Replace all files, starting at the hole, with one tail.
    case tail
  }

  /// - Parameters:
  ///   - joint: The relation of the received frames to the frames before and after the hole.
  ///   - isProved: Whether a head proves the received frames, or proves the frames after the hole that continue them.
  ///   - isSealable: Whether every event for a sealed file is followed by a head, and no frame between these events
  ///     must stay unchanged.
  ///   - isLastFile: Whether the log has no more files to include.
  ///   - isWhole: Whether every missing event arrived.
  package init(
    _ joint: Joint, isProved: Bool, isSealable: Bool, isLastFile: Bool, isWhole: Bool
  ) {
    switch (joint, isProved, isSealable, isLastFile, isWhole) {
    case (.apart, _, _, _, _): self = .unjoined
    case (.contradicts, _, _, _, _): self = .forked
    case (.joins, false, _, _, _): self = .unproved
    case (.joins, true, true, _, _): self = .sealed
    case (.joins, true, false, false, _): self = .reaching
    case (.joins, true, false, true, true): self = .open
    case (.joins, true, false, true, false): self = .partial
    }
  }

  package var action: Action {
    switch self {
    case .unjoined, .unproved, .partial: .leave
    case .forked: .part
    case .sealed: .seal
    case .reaching: .widen
    case .open: .tail
    }
  }
}
