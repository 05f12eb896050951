import Bytes
import Crypto

/// Frames that are written into one object.
struct Batch {
  private var bytes: [UInt8] = []
  private var events: ClosedRange<UInt64>?
  /// The chain hash after the last frame.
  private var end: Digest?

  /// Whether the given frame can be added: an object follows one branch, without holes.
  func hasRoom(for frame: [UInt8], _ next: FrameSpan) -> Bool {
    guard let events else { return true }
    return bytes.count + frame.count <= Limit.fileBytes
      && events.upperBound + 1 == next.events.lowerBound && end == next.before
  }

  mutating func append(_ frame: [UInt8], _ next: FrameSpan) {
    bytes += frame
    events = (events?.lowerBound ?? next.events.lowerBound)...next.events.upperBound
    end = next.end
  }

  /// Adds the object to a store if it has frames, and begins the next one.
  mutating func put(
    in folder: ReplicaFolder, of store: any ObjectStore
  ) throws(SyncError) -> DirectoryName? {
    guard let events else { return nil }
    let name = DirectoryName(events: events, digest: SHA256.digest(of: bytes).prefix16)
    try store.put(bytes, as: name.string, in: folder)
    self = Batch()
    return name
  }
}
