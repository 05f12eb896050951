/// The decision on whether a whole frame in a file counts or is skipped, with the reason.
///
/// The cases are those of the table *Frames of a file* in section 7.1 of `protocol.md`.
package enum FrameCase: String, CaseIterable {
  case foreign, elsewhere, first, joined, overlapping, stray, contradicted, behindHole =
    "behind a hole"

  /// The position at which a frame begins, relative to the last frame of the file that counts.
  package enum Beginning: String, CaseIterable {
    /// At the first event in the file's name, while no frame of the file counts yet.
    case file
    /// Directly after the last frame that counts, with its chain hash.
    case end
    /// At or before the last event of the last frame that counts, or directly after it with a different chain hash.
    case before
    /// After a gap, or at any other event while no frame counts yet.
    case behind
  }

  /// Determines the case of a frame.
  ///
  /// - Parameters:
  ///   - isOwn: Whether the frame belongs to the replica in whose folder the file is.
  ///   - isNamed: Whether the frame's events are in the range of the file's name.
  ///   - beginning: Where the frame begins.
  ///   - followsPassed: Whether the frame continues the last frame that was skipped as out of place.
  ///   - isContradicted: Whether the next frame of this log contradicts the frame; called only if the case depends on
  ///     it.
  package init(
    isOwn: Bool, isNamed: Bool, _ beginning: Beginning, followsPassed: Bool,
    isContradicted: () -> Bool
  ) {
    switch (isOwn, isNamed, beginning) {
    case (false, _, _): self = .foreign
    case (true, false, _): self = .elsewhere
    case (true, true, .file): self = .first
    case (true, true, .end): self = .joined
    case (true, true, .before): self = .overlapping
    case (true, true, .behind):
      if followsPassed {
        self = .stray
      } else {
        self = isContradicted() ? .contradicted : .behindHole
      }
    }
  }

  package var counts: Bool {
    switch self {
    case .first, .joined, .behindHole: true
    case .foreign, .elsewhere, .overlapping, .stray, .contradicted: false
    }
  }

  /// Whether the frame belongs to the log and the file, but is skipped because other frames contradict it.
  var isMisplaced: Bool {
    switch self {
    case .overlapping, .stray, .contradicted: true
    case .foreign, .elsewhere, .first, .joined, .behindHole: false
    }
  }

  /// Whether the frame counts and no later frame can show that it is out of place.
  var isAnchored: Bool { self == .first || self == .joined }
}
