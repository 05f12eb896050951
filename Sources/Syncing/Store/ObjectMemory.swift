import Bytes
import Crypto
import Journaling
import Platform
import Sealing

/// What is known about a store's objects that were read and found valid.
///
/// Remembered objects need not be read again, but an object is never removed on the strength of this memory alone.
struct ObjectMemory {
  /// The time at which the memory began, in milliseconds since 1970.
  let began: Int64
  private(set) var folders: [ReplicaFolder: FolderMemory] = [:]
  /// The key packages of a sealed store that were opened and checked, by the ids in their names.
  var packages: [UniqueID: PackageFacts] = [:]
  /// The makers of keys that were not trusted when all packages were last read.
  var untrustedMakers: Set<PublicKey> = []

  /// The time after which all objects are read again, so that damage is found even if no property reveals it: 30 days.
  static let mostMilliseconds: Int64 = 30 * 86_400_000

  init(began: Int64) { self.began = began }

  /// What is known about an object; nil if the object is unknown or has changed.
  func facts(of object: StoredObject, in folder: ReplicaFolder) -> ObjectFacts? {
    guard let facts = folders[folder]?.objects[object.name.file], facts.stamp == object.stamp
    else { return nil }
    return facts
  }

  /// What is known about the content of an object, even if the object has changed since.
  subscript(name: DirectoryName, folder: ReplicaFolder) -> ObjectFacts? {
    get { folders[folder]?.objects[name.file] }
    set { folders[folder, default: FolderMemory()].objects[name.file] = newValue }
  }

  subscript(folder: ReplicaFolder) -> FolderMemory {
    get { folders[folder] ?? FolderMemory() }
    set { folders[folder] = newValue }
  }

  /// Forgets all folders except the given ones.
  mutating func keep(only kept: [ReplicaFolder]) {
    let kept = Set(kept)
    folders = folders.filter { kept.contains($0.key) }
  }

  /// Forgets the packages that are no longer listed and those of keys that the device has lost, or all packages if
  /// another maker of a key is now untrusted.
  ///
  /// Another package of such a maker's key may state an origin that is valid.
  mutating func keepPackages(
    _ listed: [UniqueID], of keys: Set<UniqueID>, untrusted makers: Set<PublicKey>
  ) {
    let listed = makers.isSubset(of: untrustedMakers) ? Set(listed) : []
    untrustedMakers = makers
    packages = packages.filter { listed.contains($0.key) && keys.contains($0.value.key) }
  }

  /// Forgets a random package.
  mutating func forgetPackage(by dice: any Dice) {
    let ids = packages.keys.sorted()
    guard !ids.isEmpty else { return }
    packages[ids[Int(dice.number() % UInt64(ids.count))]] = nil
  }

  /// A random block of all remembered objects, with its digest; nil if nothing is remembered.
  func block(by dice: any Dice) -> RememberedBlock? {
    let count = folders.values.reduce(0) {
      $0 + $1.objects.values.reduce(0) { $0 + $1.blocks.count }
    }
    guard count > 0 else { return nil }
    var left = Int(dice.number() % UInt64(count))
    for (folder, memory) in folders.sorted(by: { $0.key < $1.key }) {
      for (file, facts) in memory.objects.sorted(by: { $0.key < $1.key }) {
        guard left >= facts.blocks.count else {
          return RememberedBlock(folder: folder, file: file, number: left, facts: facts)
        }
        left -= facts.blocks.count
      }
    }
    return nil
  }
}

/// What is known about the objects of one folder.
struct FolderMemory {
  /// The replica's events that this device held when it last compared them with the objects.
  var reached: [Place] = []
  /// The objects by the names of their files.
  var objects: [String: ObjectFacts] = [:]

  /// Forgets which objects are held.
  mutating func doubtHeld() {
    reached = []
    for file in objects.keys { objects[file]?.isHeld = false }
  }
}

/// What is known about one object that was read and found valid.
struct ObjectFacts {
  /// The properties that the object had before it was read.
  let stamp: ObjectStamp
  /// The chain hash before the first event.
  let before: Digest
  /// The chain hash at the last event.
  let end: Digest
  let isStripped: Bool
  /// The digests of the object's blocks.
  let blocks: [UInt32]
  /// Whether the replica's key was known when the head at the end was checked.
  var isProved: Bool
  /// Whether this device holds all events up to the last one; valid while the device holds ``FolderMemory/reached``.
  var isHeld = false
  /// The chain hashes inside the object that have been looked up.
  var hashes: [UInt64: Digest] = [:]
  var erasure: ErasureFacts?

  /// The maximum number of chain hashes that are kept.
  static let mostHashes = 64

  init(
    stamp: ObjectStamp, before: Digest, end: Digest, isStripped: Bool, blocks: [UInt32],
    isProved: Bool
  ) {
    (self.stamp, self.before, self.end) = (stamp, before, end)
    (self.isStripped, self.blocks, self.isProved) = (isStripped, blocks, isProved)
  }

  /// Records a chain hash inside the object with the given name.
  mutating func note(_ hash: Digest, at sequence: UInt64, of name: DirectoryName) {
    guard self.hash(at: sequence, of: name) == nil, hashes.count < Self.mostHashes else { return }
    hashes[sequence] = hash
  }

  /// The chain hash at an event of the object with the given name, or before the object's first event, if it is known.
  func hash(at sequence: UInt64, of name: DirectoryName) -> Digest? {
    if sequence + 1 == name.events.lowerBound { return before }
    return sequence == name.events.upperBound ? end : hashes[sequence]
  }
}

/// How a set of known erasures affects an object.
struct ErasureFacts {
  /// Identifies the known erasures; see ``Holder/erasureState(of:)``.
  let state: UniqueID
  var verdict: Verdict?
  var lacksBodies: Bool?
}

/// One block of a remembered object.
struct RememberedBlock {
  let folder: ReplicaFolder
  let file: String
  let number: Int
  let facts: ObjectFacts

  /// The bytes of the object that the block covers.
  var range: Range<Int> {
    let start = number * Self.size
    return start..<min(start + Self.size, facts.stamp.size)
  }

  func isEqual(to bytes: [UInt8]) -> Bool { Self.digests(of: bytes) == [facts.blocks[number]] }

  private static let size = 4_096

  /// The number of blocks in an object of the given size.
  static func count(in byteCount: Int) -> Int { byteCount / size + (byteCount % size).signum() }

  /// The first 32 bits of the SHA-256 of each block, which are enough to detect damage.
  static func digests(of bytes: [UInt8]) -> [UInt32] {
    stride(from: 0, to: bytes.count, by: size).map { start in
      let block = Array(bytes[start..<min(start + size, bytes.count)])
      return SHA256.digest(of: block).bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
  }
}
