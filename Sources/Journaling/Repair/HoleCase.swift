/// What becomes of a hole in a log once frames have come for it, as the table *Filling a hole* in section 7.1 of
/// `protocol.md` has it.
package enum HoleCase: String, CaseIterable, Sendable {
  case unjoined, forked, unproved, sealed, reaching, open, partial

  /// How what came goes with what is held around the hole.
  package enum Joint: String, CaseIterable, Sendable {
    /// It does not go on where what is held before the hole ends.
    case apart
    /// It goes on there, and what is held behind the hole, if anything, goes on where it ends.
    case joins
    /// It goes on there, and what is held behind the hole follows other events.
    case contradicts
  }

  package enum Action: String, Sendable {
    /// The hole stays as it is.
    case leave
    /// What is held behind the hole goes into the folder of a branch; then nothing is held behind it.
    case part
    /// Sealed files, and a tail for what no head ends, take the place of the files around the hole.
    case seal
    /// The next file is taken along, for the head that it may bring.
    case widen
    /// One tail takes the place of all files from the hole on.
    case tail
  }

  /// - Parameters:
  ///   - joint: How what came goes with what is held.
  ///   - isProved: Whether what is held behind goes on where what came ends, or a head proves what came.
  ///   - isSealable: Whether a head ends all that would stand in a sealed file.
  ///   - isLastFile: Whether the log has no further file to take along.
  ///   - isWhole: Whether all that is missing came.
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
