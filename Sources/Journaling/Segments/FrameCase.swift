/// Why a whole frame in a file counts, or is passed over, as the table *Frames of a file* in section 7.1 of `protocol.md`
/// has it.
package enum FrameCase: String, CaseIterable {
  case foreign, elsewhere, first, joined, overlapping, stray, contradicted, behindHole =
    "behind a hole"

  /// Where a frame begins, seen from the last frame of the file that counts.
  package enum Beginning: String, CaseIterable {
    /// With the event that the file is named after, where none counts yet.
    case file
    /// Right behind that frame, with its chain hash.
    case end
    /// At one of its events or before it, or right behind it with another chain hash.
    case before
    /// Further behind, or where none counts yet.
    case behind
  }

  /// - Parameters:
  ///   - isOwn: Whether the frame is of the replica in whose folder the file lies.
  ///   - isNamed: Whether its events are among those that the file is named after.
  ///   - beginning: Where it begins.
  ///   - followsPassed: Whether it goes on where the last frame ends that was passed over as out of place.
  ///   - isContradicted: Whether the next frame that is its own contradicts it; asked only where it matters.
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

  /// Whether a frame that is passed over is of the log and the file, and others there contradict it.
  var isMisplaced: Bool {
    switch self {
    case .overlapping, .stray, .contradicted: true
    case .foreign, .elsewhere, .first, .joined, .behindHole: false
    }
  }

  /// Whether nothing that follows can show that a frame which counts is out of place.
  var isAnchored: Bool { self == .first || self == .joined }
}
