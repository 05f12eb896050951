import Bytes
import Crypto
import Journaling

/// Reads the objects of a store during one pull or push, and remembers which of them are sound.
final class ObjectReader {
  let store: any ObjectStore
  let holder: any Holder
  private(set) var memory: ObjectMemory

  init(of store: any ObjectStore, as holder: any Holder, remembering memory: ObjectMemory) {
    (self.store, self.holder, self.memory) = (store, holder, memory)
  }

  /// The result of examining an object.
  enum Look {
    /// The bytes match the digest in the name. The second value is nil if they are not a valid file.
    case whole([UInt8], SoundFile?)
    /// The object has disappeared, or is not a plain file.
    case absent
    case problem(SyncProblem)
  }

  /// Reads a whole object and checks that it matches its name.
  func look(at object: StoredObject, in folder: ReplicaFolder) throws(SyncError) -> Look {
    let name = object.name
    // An object with a changed name is not expected to be valid.
    guard object.stamp.size <= Limit.fileBytes else {
      return name.isPlain ? .problem(.tooLarge(folder.path(of: name))) : .absent
    }
    let bytes: [UInt8]
    switch try store.get(name, in: folder) {
    case .absent: return .absent
    case .unreadable(let problem): return .problem(problem)
    case .bytes(let found): bytes = found
    }
    guard SHA256.digest(of: bytes).prefix16 == name.digest else {
      return name.isPlain ? .problem(.wrongDigest(folder.path(of: name))) : .absent
    }
    let file = SoundFile(name, bytes, of: folder.replica, as: holder)
    if let file { memory.note(file, of: object, in: folder) }
    return .whole(bytes, file)
  }

  /// Returns the file if it has not changed since it was found valid; otherwise nil.
  func known(_ object: StoredObject, in folder: ReplicaFolder) -> SoundFile? {
    memory.file(of: object, in: folder)
  }

  /// Returns a valid file, which is read unless it is known; nil if it is not valid.
  func sound(
    _ object: StoredObject, in folder: ReplicaFolder, _ problems: inout [SyncProblem]
  ) throws(SyncError) -> SoundFile? {
    if let known = known(object, in: folder) { return known }
    switch try look(at: object, in: folder) {
    case .whole(_, let file): return file
    case .absent: return nil
    case .problem(let problem):
      problems.append(problem)
      return nil
    }
  }

  /// Reads an object again; returns nil if it was removed, changed or damaged meanwhile.
  func bytes(of name: DirectoryName, in folder: ReplicaFolder) throws(SyncError) -> [UInt8]? {
    guard case .bytes(let bytes) = try store.get(name, in: folder),
      SHA256.digest(of: bytes).prefix16 == name.digest
    else { return nil }
    return bytes
  }

  /// Whether the given file lacks bodies that the holder has, although no `erase` in effect removed them.
  ///
  /// A file that has disappeared lacks all of them.
  func lacksBodies(_ file: SoundFile, in folder: ReplicaFolder) throws(SyncError) -> Bool {
    guard file.isStripped else { return false }
    guard let bytes = try bytes(of: file.name, in: folder) else { return true }
    var frames = FrameCursor(bytes, of: folder.replica)
    while let frame = frames.next() {
      if holder.hasBodiesBeyond(Array(bytes[frame.range]), of: folder.replica) { return true }
    }
    return false
  }

  /// Whether one of the given files covers a place without ending there.
  func contains(
    _ place: Place, in files: [SoundFile], of folder: ReplicaFolder
  ) throws(SyncError) -> Bool {
    for file in files where file.events.dropLast().contains(place.sequence) {
      if try hash(at: place.sequence, in: file, of: folder) == place.hash { return true }
    }
    return false
  }

  /// The chain hash at the given event of the given file; nil if the file has disappeared.
  ///
  /// Only one frame is decoded to find it.
  private func hash(
    at sequence: UInt64, in file: SoundFile, of folder: ReplicaFolder
  ) throws(SyncError) -> Digest? {
    guard let bytes = try bytes(of: file.name, in: folder) else { return nil }
    var frames = FrameCursor(bytes, of: folder.replica)
    while let frame = frames.next() {
      guard frame.label.events.contains(sequence) else { continue }
      return holder.span(of: Array(bytes[frame.range]))?.hash(at: sequence)
    }
    return nil
  }

  /// Reads an object and verifies all its frames; nil if it cannot be read or is not valid.
  func verified(
    _ name: DirectoryName, in folder: ReplicaFolder, noting sequences: [UInt64] = []
  ) -> VerifiedFile? {
    // A file that cannot be read is neither verified nor removed.
    guard case .bytes(let bytes)? = try? store.get(name, in: folder) else { return nil }
    return VerifiedFile(name, bytes, of: folder.replica, as: holder, noting: sequences)
  }

  /// Removes an object.
  ///
  /// - Returns: Whether the object was removed. Another device may have removed it, and a store whose objects cannot be
  ///   removed is still usable.
  func delete(_ name: DirectoryName, in folder: ReplicaFolder) -> Bool {
    memory.forget(name, in: folder)
    do throws(SyncError) {
      try store.delete(name.file, in: folder)
      return true
    } catch {
      return false
    }
  }
}
