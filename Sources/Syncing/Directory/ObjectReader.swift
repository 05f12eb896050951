import Bytes
import Crypto
import Journaling
import Platform

/// Reads the objects of a store during one pull or push, and remembers what it has found.
///
/// An object that has not changed since it was found valid is not read again.
final class ObjectReader {
  let store: any ObjectStore
  let holder: any Holder
  private(set) var memory: ObjectMemory
  /// The list that ``readBack(by:)`` read, kept for the pull that follows.
  private var firstList: (folder: ReplicaFolder, list: ObjectList)?

  init(of store: any ObjectStore, as holder: any Holder, remembering memory: ObjectMemory) {
    (self.store, self.holder, self.memory) = (store, holder, memory)
  }

  /// The result of examining an object.
  enum Look {
    /// The content matches the name. The second value is nil if the frames do not form a valid file.
    case whole(ObjectContent, SoundFile?)
    /// The object has disappeared, or is not a plain file.
    case absent
    case problem(SyncProblem)
  }

  /// Reads a whole object and checks that it matches its name.
  func look(at object: StoredObject, in folder: ReplicaFolder) throws(SyncError) -> Look {
    let name = object.name
    // An object whose name was changed is not expected to be valid.
    guard object.stamp.size <= store.objectBytes else {
      return name.isPlain ? .problem(.tooLarge(folder.path(of: name))) : .absent
    }
    switch try store.get(name, in: folder) {
    case .absent: return .absent
    case .unreadable(let problem): return .problem(problem)
    case .found(let content): return .whole(content, check(content, of: object, in: folder))
    }
  }

  /// Checks the head of a new log's file again, now that the key for that head has arrived with the log.
  func prove(_ content: ObjectContent, of object: StoredObject, in folder: ReplicaFolder) {
    guard memory[object.name, folder]?.isProved == false else { return }
    _ = check(content, of: object, in: folder)
  }

  /// Checks the frames of an object that matches its name, and remembers the file if it is valid.
  private func check(
    _ content: ObjectContent, of object: StoredObject, in folder: ReplicaFolder
  ) -> SoundFile? {
    guard let file = SoundFile(object.name, content.frames, of: folder.replica, as: holder) else {
      memory[object.name, folder] = nil
      return nil
    }
    // If a file was still being copied when it was listed, it is remembered next time.
    guard content.stored.count == object.stamp.size else { return file }
    memory[object.name, folder] = ObjectFacts(
      stamp: object.stamp, before: file.before, end: file.end, isStripped: file.isStripped,
      blocks: RememberedBlock.digests(of: content.stored),
      // The first event of a log contains the key.
      isProved: holder.hello.frontier.sequence(of: folder.replica) > 0)
    return file
  }

  /// Returns the file if it has not changed since it was found valid; otherwise nil.
  func known(_ object: StoredObject, in folder: ReplicaFolder) -> SoundFile? {
    memory.facts(of: object, in: folder).map { facts in
      SoundFile(
        object.name, before: facts.before, end: facts.end, isStripped: facts.isStripped)
    }
  }

  /// Returns a valid file, which is read unless it is already known; nil if the file is not valid.
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

  /// Reads the frames of an object again; returns nil if the object has been removed, changed or damaged in the
  /// meantime.
  func frames(of name: DirectoryName, in folder: ReplicaFolder) throws(SyncError) -> [UInt8]? {
    guard case .found(let content) = try store.get(name, in: folder) else { return nil }
    return content.frames
  }

  /// Removes an object.
  ///
  /// - Returns: Whether the object was removed. Another device may have removed the object, and a store whose objects
  ///   cannot be removed is still usable.
  func delete(_ name: DirectoryName, in folder: ReplicaFolder) -> Bool {
    memory[name, folder] = nil
    do throws(SyncError) {
      try store.delete(name, in: folder)
      return true
    } catch {
      return false
    }
  }
}

// MARK: The places of a file

extension ObjectReader {
  /// Whether one of the given files contains a place that is not at its end.
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
  /// Only the frame that contains the event is decoded.
  private func hash(
    at sequence: UInt64, in file: SoundFile, of folder: ReplicaFolder
  ) throws(SyncError) -> Digest? {
    if let known = memory[file.name, folder]?.hash(at: sequence, of: file.name) { return known }
    guard let bytes = try frames(of: file.name, in: folder) else { return nil }
    var frames = FrameCursor(bytes, of: folder.replica)
    while let frame = frames.next() {
      guard frame.label.events.contains(sequence) else { continue }
      let hash = holder.span(of: Array(bytes[frame.range]))?.hash(at: sequence)
      if let hash { memory[file.name, folder]?.note(hash, at: sequence, of: file.name) }
      return hash
    }
    return nil
  }

  /// Whether, according to the memory, this device holds all events up to the last one of a file.
  func isHeld(_ file: SoundFile, in folder: ReplicaFolder) -> Bool {
    memory[file.name, folder]?.isHeld == true
  }

  func noteHeld(_ file: SoundFile, in folder: ReplicaFolder) {
    memory[file.name, folder]?.isHeld = true
  }

  /// Forgets which files of a folder are held if this device has since lost some of the events that it held, for
  /// example because its book was restored from a backup.
  func checkHeld(in folder: ReplicaFolder, by frontier: Frontier) throws(SyncError) {
    for place in memory[folder].reached where try !holder.holds(place, by: frontier) {
      return memory[folder].doubtHeld()
    }
  }

  /// Records that the held files of a folder are within the given frontier.
  func noteReached(_ frontier: Frontier, in folder: ReplicaFolder) {
    memory[folder].reached = frontier.places(of: folder.replica).map { place in
      Place(log: place.log, sequence: place.sequence, hash: place.hash)
    }
  }
}

// MARK: What may have changed

extension ObjectReader {
  /// The objects in a folder, or nil if there are too many.
  func list(_ folder: ReplicaFolder) throws(SyncError) -> ObjectList? {
    guard let first = firstList, first.folder == folder else { return try store.list(folder) }
    firstList = nil
    return first.list
  }

  /// Forgets the folders that no longer exist.
  func keep(only folders: [ReplicaFolder]) { memory.keep(only: folders) }

  /// Forgets the objects of a folder that no longer exist.
  func keep(only list: ObjectList, in folder: ReplicaFolder) {
    let names = Set(list.objects.map(\.name.file))
    memory[folder].objects = memory[folder].objects.filter { names.contains($0.key) }
  }

  /// Reads one random block of a remembered object, and forgets everything if the block has changed although the
  /// properties of the object have not.
  ///
  /// Such a change is possible because disks can damage files, and because some file systems keep too few properties to
  /// reveal every change.
  func readBack(by dice: any Dice) throws(SyncError) {
    guard let block = memory.block(by: dice), let list = try store.list(block.folder) else {
      return
    }
    firstList = (block.folder, list)
    guard let object = list.objects.first(where: { $0.name.file == block.file }),
      object.stamp == block.facts.stamp
    else { return }
    switch try store.get(object.name, in: block.folder, bytes: block.range) {
    case .absent: return
    case .found(let bytes) where block.isEqual(to: bytes): return
    case .found, .unreadable: memory = ObjectMemory(began: memory.began)
    }
  }
}

// MARK: Erasures

extension ObjectReader {
  /// Whether the given file lacks bodies that the holder has and that no `erase` in effect removed.
  ///
  /// If a file has disappeared, it is treated as lacking all of them.
  func lacksBodies(_ file: SoundFile, in folder: ReplicaFolder) throws(SyncError) -> Bool {
    guard file.isStripped else { return false }
    let state = holder.erasureState(of: folder.replica)
    if let facts = memory[file.name, folder]?.erasure, facts.state == state,
      let lacksBodies = facts.lacksBodies
    {
      return lacksBodies
    }
    guard let bytes = try frames(of: file.name, in: folder) else { return true }
    var frames = FrameCursor(bytes, of: folder.replica)
    var lacksBodies = false
    while !lacksBodies, let frame = frames.next() {
      lacksBodies = holder.hasBodiesBeyond(Array(bytes[frame.range]), of: folder.replica)
    }
    noteErasure(of: file.name, in: folder, state) { $0.lacksBodies = lacksBodies }
    return lacksBodies
  }

  /// The verdict on a file, if it is remembered and still holds.
  func verdict(on name: DirectoryName, in folder: ReplicaFolder) -> Verdict? {
    // If a frame's events are not held, the verdict on it may change when they arrive.
    guard let facts = memory[name, folder], facts.isHeld, let erasure = facts.erasure,
      erasure.state == holder.erasureState(of: folder.replica)
    else { return nil }
    return erasure.verdict
  }

  /// Reads an object and verifies all its frames; nil if the object cannot be read or is not valid.
  func verified(
    _ name: DirectoryName, in folder: ReplicaFolder, noting sequences: [UInt64] = []
  ) -> VerifiedFile? {
    // A file that cannot be read is neither verified nor removed.
    guard case .found(let content)? = try? store.get(name, in: folder),
      let file = VerifiedFile(
        name, content.frames, of: folder.replica, as: holder, noting: sequences)
    else { return nil }
    for (sequence, hash) in file.hashes { memory[name, folder]?.note(hash, at: sequence, of: name) }
    noteErasure(of: name, in: folder, holder.erasureState(of: folder.replica)) {
      $0.verdict = file.verdict
    }
    return file
  }

  /// Whether the memory shows that one file cannot replace another.
  ///
  /// The memory only helps to avoid reads; before a file is removed, both files are read.
  func isNoReplacement(
    _ new: DirectoryName, of old: DirectoryName, in folder: ReplicaFolder
  ) -> Bool {
    if let verdict = verdict(on: old, in: folder), verdict == .hasUnexplained { return true }
    if let verdict = verdict(on: new, in: folder), verdict != .clean { return true }
    guard let one = memory[old, folder], let other = memory[new, folder] else { return false }
    return VerifiedFile.ends(of: old).contains { sequence in
      guard let hash = one.hash(at: sequence, of: old),
        let replacement = other.hash(at: sequence, of: new)
      else { return false }
      return hash != replacement
    }
  }

  private func noteErasure(
    of name: DirectoryName, in folder: ReplicaFolder, _ state: UniqueID?,
    _ note: (inout ErasureFacts) -> Void
  ) {
    guard let state, var facts = memory[name, folder] else { return }
    var erasure = facts.erasure ?? ErasureFacts(state: state)
    if erasure.state != state { erasure = ErasureFacts(state: state) }
    note(&erasure)
    facts.erasure = erasure
    memory[name, folder] = facts
  }
}
