package import Bytes
internal import Journaling

/// A frame's position in the hash chain of its log.
package struct FrameSpan: Hashable, Sendable {
  package let events: ClosedRange<UInt64>
  /// The chain hash before the first event, and at each event.
  private let hashes: [Digest]

  /// The chain hash before the frame.
  package var before: Digest { hashes[0] }

  /// The chain hash at the last event.
  package var end: Digest { hashes[hashes.count - 1] }

  package init(from first: UInt64, before: Digest, behind hashes: [Digest]) {
    precondition(first > 0 && !hashes.isEmpty, "a frame has an event")
    events = first...first + UInt64(hashes.count) - 1
    self.hashes = [before] + hashes
  }

  /// Decodes a frame and computes its hashes; nil if the bytes are not a frame.
  init?(of frame: [UInt8]) {
    var chain = Chain()
    do throws(FrameError) {
      let decoded = try Frame.decode(frame.span, at: 0, &chain)
      guard decoded.length == frame.count else { return nil }
      self.init(
        from: decoded.firstSequence, before: decoded.information.hash,
        behind: decoded.events.map(\.hash))
    } catch {
      // Bytes that are not a frame have no position.
      return nil
    }
  }

  /// The chain hash at the given event of the frame, or before the frame's first event.
  package func hash(at sequence: UInt64) -> Digest? {
    guard sequence + 1 >= events.lowerBound, sequence <= events.upperBound else { return nil }
    return hashes[Int(sequence + 1 - events.lowerBound)]
  }
}
