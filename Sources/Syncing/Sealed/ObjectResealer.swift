import Bytes
import Sealing

/// Seals a store's objects again with one key, and removes those that are sealed with other keys.
///
/// The frames of an object are copied unchanged. An object is removed only after its replacement has been read back, so
/// a crash at any time leaves at least one copy of each content in the store, and the next run completes the work.
/// Other devices see an object, its replacement, or both.
struct ObjectResealer {
  private let bucket: any Bucket
  private let identity: StoreIdentity
  private let ring: KeyRing
  private let key: StoreKey
  private var report = ResealReport()

  /// - Parameters:
  ///   - bucket: The objects.
  ///   - identity: The book and the id of the store.
  ///   - ring: The keys with which objects are opened.
  ///   - key: The key to seal with, which is one of the keys in `ring`. The store contains packages of this key.
  init(
    in bucket: any Bucket, of identity: StoreIdentity, openedWith ring: KeyRing,
    sealingWith key: StoreKey
  ) {
    (self.bucket, self.identity, self.ring, self.key) = (bucket, identity, ring, key)
  }

  /// Seals again all listed objects that this device can open.
  mutating func run(_ listing: SealedListing) throws(SyncError) -> ResealReport {
    report.left = listing.waitingCount + listing.badNames.count
    let files =
      listing.events.filter { $0.value.key.id != key.id }.keys.sorted()
      + listing.losses.filter { $0.value.key.id != key.id }.keys.sorted()
    for (number, file) in files.enumerated() {
      do throws(SyncError) {
        if let found = listing.events[file] { try reseal(file, found) }
        if let found = listing.losses[file] { try reseal(file, found) }
      } catch {
        guard let refusal = bucket.refusal(for: error) else { throw error }
        report.problems.append(refusal.problem)
        report.left += files.count - number
        return report
      }
    }
    return report
  }

  private mutating func reseal(_ file: String, _ found: SealedListing.Loss) throws(SyncError) {
    let name = ObjectName.loss(SealedName(sealing: found.loss, with: key)).text
    try replace(file, of: found.key, with: [], as: name)
  }

  private mutating func reseal(
    _ file: String, _ found: SealedListing.Events
  ) throws(SyncError) {
    switch try bucket.get(file, limit: SealedObject.byteLimit) {
    // Another device has removed the object.
    case .absent: return
    case .unreadable(let problem): leave(problem)
    case .found(let bytes):
      let frames: [UInt8]
      do throws(SealedObjectError) {
        frames = try SealedObject.open(bytes, as: found.named, in: identity, with: found.key)
      } catch {
        return leave(SealedStore.problem(with: bucket.path(of: file), error))
      }
      let object = SealedObject(
        sealing: frames, of: found.named.range, in: identity, with: key)
      try replace(
        file, of: found.key, with: object.bytes, as: ObjectName.events(object.name).text)
    }
  }

  /// Puts an object, reads it back, and removes the one that it replaces.
  private mutating func replace(
    _ old: String, of oldKey: StoreKey, with bytes: [UInt8], as name: String
  ) throws(SyncError) {
    guard ring.mayReplace(oldKey.id, by: key.id) else { return leave() }
    try bucket.prepare()
    try bucket.put(bytes, as: name)
    guard case .found(let there) = try bucket.get(name, limit: SealedObject.byteLimit),
      there == bytes
    else { return leave(.wrongDigest(bucket.path(of: name))) }
    do throws(SyncError) {
      try bucket.delete(old)
      report.resealed += 1
    } catch {
      // A store whose objects cannot be removed is still usable, and another device may already have removed the
      // object.
      leave()
    }
  }

  private mutating func leave(_ problem: SyncProblem? = nil) {
    report.left += 1
    if let problem { report.problems.append(problem) }
  }
}

/// What was done to seal the objects of a store again with another key.
package struct ResealReport: Hashable, Sendable {
  /// The number of objects that were replaced.
  package var resealed = 0
  /// The number of objects that remain as they are, because this device cannot open or remove them, or must not seal
  /// them with its key.
  package var left = 0
  package var problems: [SyncProblem] = []

  package init(resealed: Int = 0, left: Int = 0, problems: [SyncProblem] = []) {
    (self.resealed, self.left, self.problems) = (resealed, left, problems)
  }
}
