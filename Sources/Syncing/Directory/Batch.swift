import Bytes
import Crypto

/// Frames that are written into one object.
struct Batch {
  private let store: any ObjectStore
  private let folder: ReplicaFolder
  private var bytes: [UInt8] = []
  private var events: ClosedRange<UInt64>?
  /// The chain hash after the last frame.
  private var end: Digest?

  init(for folder: ReplicaFolder, of store: any ObjectStore) {
    (self.folder, self.store) = (folder, store)
  }

  /// Whether the given frame can be added to the batch: an object follows one branch and has no holes.
  func hasRoom(for frame: [UInt8], _ next: FrameSpan) -> Bool {
    guard let events else { return true }
    return bytes.count + frame.count <= store.frameBytes
      && events.upperBound + 1 == next.events.lowerBound && end == next.before
  }

  mutating func append(_ frame: [UInt8], _ next: FrameSpan) {
    bytes += frame
    events = (events?.lowerBound ?? next.events.lowerBound)...next.events.upperBound
    end = next.end
  }

  /// Adds an object with the frames, if there are any, to the store, and begins the next object.
  mutating func put() throws(SyncError) -> DirectoryName? {
    guard let events, let end else { return nil }
    let name = try store.put(FrameFile(frames: bytes, events: events, end: end), in: folder)
    self = Batch(for: folder, of: store)
    return name
  }
}
