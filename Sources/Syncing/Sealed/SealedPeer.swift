package import Bytes
package import Crypto
package import Platform
import S3
package import Sealing

/// A sealed store through which the devices of a book exchange events.
///
/// The store's operator cannot read any events, and nothing in the store is trusted. A session receives keys, pulls,
/// shares keys and pushes, in this order, so that a device seals with a key that was made with knowledge of all events
/// that the device holds.
package final class SealedPeer {
  private let bucket: ListedBucket
  private let identity: StoreIdentity
  private let machine: Machine
  /// The directory of the folder that contains readable files of the book; nil if there is none.
  package let readable: Path?
  private var exchange: StoreExchange
  /// Whether a package has been read again to see whether the disk has damaged it.
  private var hasReadBack = false
  /// Whether this session has written objects.
  private var hasWritten = false

  /// Opens a store in an existing folder or bucket; the store itself need not exist yet.
  ///
  /// - Parameters:
  ///   - address: The store.
  ///   - machine: The machine.
  ///   - memory: The file in which this device remembers which objects it has read; nil to read all of them.
  /// - Throws: ``SyncError/noFolder(_:)``, ``SyncError/isABook(_:)`` or ``SyncError/storage(_:at:)``, or an error of
  ///   the disk.
  package init(
    at address: StoreAddress, on machine: Machine, remembering memory: Path? = nil
  ) throws(SyncError) {
    let objects: any Bucket
    switch address.place {
    case .folder(let folder):
      let files = try FolderFiles(in: folder, on: machine)
      objects = FolderBucket(at: try files.directory(named: address.store), among: files)
      let plain = try files.directory(named: address.book)
      readable = try files.directories(in: plain).names.isEmpty ? nil : plain
    case .bucket(let bucket):
      let client = try onStorage(at: address.location) { () throws(S3Fault) in
        try S3Client(bucket, on: machine)
      }
      objects = S3Bucket(of: address.store, in: bucket, over: client)
      readable = nil
    }
    bucket = ListedBucket(objects)
    identity = StoreIdentity(book: address.book, store: address.store)
    self.machine = machine
    exchange = StoreExchange(with: address.location, remembering: memory, on: machine)
  }

  /// Whether the store has any objects.
  package func isThere() throws(SyncError) -> Bool {
    try bucket.list().map { SealedListing.isStore($0.map(\.spelling)) } ?? true
  }

  /// Records which objects have been read and found valid, so that the next session does not read them again.
  package func saveMemory() { exchange.saveMemory() }

  /// The knocks and answers in the store.
  package var door: StoreDoor { StoreDoor(bucket) }

  // MARK: Keys

  /// Reads the key packages that have not been taken yet, and some of the others.
  ///
  /// - Parameters:
  ///   - ring: The keys of this device.
  ///   - device: This device.
  /// - Returns: The valid packages that this device can open, the ring with their keys, and the problems with other
  ///   packages.
  /// - Throws: ``SyncError`` if the store cannot be read.
  package func readPackages(
    beside ring: KeyRing, as device: SealingDevice
  ) throws(SyncError) -> PackageReading {
    guard let objects = try bucket.list() else { return PackageReading(ring: ring) }
    let listed = SealedListing(of: objects, openedWith: ring).packages
    forgetDoubtfulPackages(besides: listed.map(\.id), ring, device.members)
    var reading = PackageReading(ring: ring)
    for (id, file) in listed where exchange.memory.packages[id] == nil {
      switch try bucket.get(file, limit: KeyPackage.byteLimit) {
      case .absent: continue
      case .unreadable(let problem): reading.problems.append(problem)
      case .found(let bytes):
        do throws(StoreKeyError) {
          let package = try KeyPackage(decoding: bytes, as: id)
          // Packages are kept only if a member made them, because anyone else could fill the store.
          let facts = try reading.ring.take(
            package, with: device.agreement, knowing: device.members)
          reading.packages.append(OpenedPackage(id: id, package: package, facts: facts))
        } catch {
          reading.note(error, of: try? KeyPackage(decoding: bytes, as: id))
          if let problem = problem(with: file, error) { reading.problems.append(problem) }
        }
      }
    }
    return reading
  }

  /// Remembers packages whose keys are now in the device's ring.
  package func noteTaken(_ packages: [OpenedPackage]) {
    for opened in packages { exchange.memory.packages[opened.id] = opened.facts }
  }

  private func problem(with file: String, _ fault: StoreKeyError) -> SyncProblem? {
    let path = bucket.path(of: file)
    switch fault {
    // The package is for other devices, or its maker may be admitted by events that have not arrived yet.
    case .notARecipient, .stranger: return nil
    case .digest: return .wrongDigest(path)
    case .version: return .newer(path)
    default: return .badPackage(path, fault)
    }
  }

  /// Forgets the packages that have to be read again.
  private func forgetDoubtfulPackages(
    besides listed: [UniqueID], _ ring: KeyRing, _ members: MemberKeys
  ) {
    exchange.memory.keepPackages(
      listed, of: Set(ring.keys.map(\.key.id)),
      untrusted: Set(ring.keys.map(\.origin.maker).filter { !members.trusts($0) }))
    guard !hasReadBack else { return }
    hasReadBack = true
    // A disk can damage a file, so one random package is read again in each session.
    exchange.memory.forgetPackage(by: machine.dice)
  }

  /// Puts packages of this device's keys into the store, for the devices that have no package in it.
  ///
  /// The store needs the key that this device seals with, and the keys of the objects in the store.
  ///
  /// - Parameters:
  ///   - ring: The keys of this device.
  ///   - device: This device.
  /// - Returns: A problem if a package could not be made or written. In that case, nothing may be sealed with a new
  ///   key.
  /// - Throws: ``SyncError`` if the store cannot be used.
  package func shareKeys(
    of ring: KeyRing, as device: SealingDevice
  ) throws(SyncError) -> SyncProblem? {
    var needed = ring
    if var keys = try keysInUse(openedWith: ring) {
      if let key = ring.sealingKey(knowing: device.members) { keys.insert(key.id) }
      needed.forget(Set(ring.keys.map(\.key.id)).subtracting(keys))
    }
    let packages: [KeyPackage]
    do throws(StoreKeyError) {
      packages = try KeyDistribution(of: exchange.memory.packages.values).packages(
        of: needed, knowing: device.members, signedBy: device.signing, andBy: device.former)
    } catch {
      return .notSealed(bucket.location, error)
    }
    do throws(SyncError) {
      for package in packages {
        try bucket.prepare()
        try bucket.put(package.bytes, as: ObjectName.package(package.id).text)
        hasWritten = true
      }
    } catch {
      guard let refusal = bucket.refusal(for: error) else { throw error }
      return refusal.problem
    }
    return nil
  }

  /// The ids of the keys of all objects that this device can open; nil if there are too many objects.
  ///
  /// - Parameter ring: The keys of this device.
  /// - Returns: The ids.
  /// - Throws: ``SyncError`` if the store cannot be read.
  package func keysInUse(openedWith ring: KeyRing) throws(SyncError) -> Set<UniqueID>? {
    try bucket.list().map { SealedListing(of: $0, openedWith: ring).keys }
  }

  /// Removes the packages of keys with which objects are no longer sealed.
  ///
  /// - Parameters:
  ///   - keys: The ids of the keys.
  ///   - ring: The keys of this device.
  /// - Returns: The ids of the keys that now have no packages.
  /// - Throws: ``SyncError`` if the store cannot be read or written.
  package func removePackages(
    of keys: Set<UniqueID>, knowing ring: KeyRing
  ) throws(SyncError) -> Set<UniqueID> {
    guard let objects = try bucket.list() else { return [] }
    let listing = SealedListing(of: objects, openedWith: ring)
    let keys = keys.subtracting(listing.keys)
    for (id, file) in listing.packages {
      guard case .found(let bytes) = try bucket.get(file, limit: KeyPackage.byteLimit),
        let package = try? KeyPackage(decoding: bytes, as: id), keys.contains(package.key)
      else { continue }
      try bucket.delete(file)
      exchange.memory.packages[id] = nil
    }
    return keys
  }

  // MARK: Events

  /// Stores the events that the store contains and the device lacks.
  ///
  /// - Parameters:
  ///   - holder: The book.
  ///   - ring: The keys of this device.
  ///   - rejected: The ids of keys that the device will never accept, although packages offer them.
  /// - Returns: The received events, and the problems.
  /// - Throws: ``SyncError`` if the store or the book cannot be used.
  package func pull(
    into holder: any Holder, openedWith ring: KeyRing, rejecting rejected: Set<UniqueID> = []
  ) throws(SyncError) -> DirectoryReport {
    let store = SealedStore(in: bucket, of: identity, openedWith: ring)
    var report = try exchange.pull(identity.book, from: store, into: holder)
    guard let listing = try store.list() else { return report }
    let strange = listing.waiting.count { name in rejected.contains { name.mayBelong(toKey: $0) } }
    if listing.waitingCount > strange {
      report.problems.append(.waiting(bucket.location, objects: listing.waitingCount - strange))
    }
    if strange > 0 { report.problems.append(.rejected(bucket.location, objects: strange)) }
    report.problems += listing.badNames.map { .badName(bucket.path(of: $0.file), $0.fault) }
    return report
  }

  /// The events of each replica, according to the names of the objects that this device can open.
  ///
  /// - Parameter ring: The keys of this device.
  /// - Returns: The claims, which are not proved.
  /// - Throws: ``SyncError`` if the store cannot be read.
  package func claims(
    openedWith ring: KeyRing
  ) throws(SyncError) -> [UniqueID: [ClosedRange<UInt64>]] {
    let store = SealedStore(in: bucket, of: identity, openedWith: ring)
    return try DirectorySurveyor(store: store, book: identity.book).claims()
  }

  /// Seals and writes the events that the store lacks.
  ///
  /// - Parameters:
  ///   - holder: The book.
  ///   - ring: The device's keys, which ``shareKeys(of:as:)`` has shared.
  ///   - key: The key to seal with, which is one of the keys in `ring`.
  /// - Returns: The sent events, and the problems.
  /// - Throws: ``SyncError`` if the store or the book cannot be used.
  package func push(
    from holder: any Holder, openedWith ring: KeyRing, sealingWith key: StoreKey
  ) throws(SyncError) -> DirectoryReport {
    let store = SealedStore(
      in: bucket, of: identity, openedWith: ring, sealingWith: key)
    let report = try exchange.push(identity.book, to: store, from: holder)
    hasWritten = hasWritten || store.hasWritten
    return report
  }

  /// Seals all objects again with one key.
  ///
  /// - Parameters:
  ///   - ring: The device's keys, which ``shareKeys(of:as:)`` has shared.
  ///   - key: The key to seal with, which is one of the keys in `ring`.
  /// - Returns: The number of objects, and the problems.
  /// - Throws: ``SyncError`` if the store cannot be used.
  package func reseal(
    openedWith ring: KeyRing, sealingWith key: StoreKey
  ) throws(SyncError) -> ResealReport {
    guard let objects = try bucket.list() else {
      return ResealReport(problems: [.tooManyFiles(bucket.location)])
    }
    var resealer = ObjectResealer(
      in: bucket, of: identity, openedWith: ring, sealingWith: key)
    let report = try resealer.run(SealedListing(of: objects, openedWith: ring))
    if report.resealed > 0 {
      // Putting the bell also flushes the removals. Without the flush, an object could reappear after its key was
      // forgotten.
      try bucket.put(machine.dice.bytes(16), as: ObjectName.bell.text)
    }
    return report
  }

  /// Informs other devices, which may watch the bell, that this session has written objects.
  package func ringBell() {
    guard hasWritten else { return }
    // The bell is only a hint, so a failure is ignored.
    try? bucket.put(machine.dice.bytes(16), as: ObjectName.bell.text)
  }
}

/// What a device has found in the key packages of a store.
package struct PackageReading {
  package var packages: [OpenedPackage] = []
  /// The device's keys, and those of the packages, which have not been stored yet.
  package var ring: KeyRing
  package var problems: [SyncProblem] = []
  /// The packagers of valid packages that are not members, by the ids of the keys that they offer to this device.
  package private(set) var strangers: [UniqueID: Set<PublicKey>] = [:]
  /// The ids of keys whose packages are for other devices only, so that their packagers are unknown.
  package private(set) var closed: Set<UniqueID> = []

  init(ring: KeyRing) { self.ring = ring }

  /// Records why no key was taken from a package.
  mutating func note(_ fault: StoreKeyError, of package: KeyPackage?) {
    guard let package else { return }
    switch fault {
    case .stranger(let packager): strangers[package.key, default: []].insert(packager)
    case .notARecipient: closed.insert(package.key)
    default: break
    }
  }

  /// The ids of the keys that only the given devices offer.
  ///
  /// If some other device may have shared a key, the key is not included, because that device may be a member.
  package func keys(only packagers: Set<PublicKey>) -> Set<UniqueID> {
    Set(strangers.filter { packagers.isSuperset(of: $0.value) }.keys).subtracting(closed)
  }
}

/// A key package of a store that this device can open and that a member has made.
package struct OpenedPackage {
  let id: UniqueID
  package let package: KeyPackage
  let facts: PackageFacts
}
