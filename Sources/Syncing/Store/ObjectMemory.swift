import Platform

/// The objects of a store that were found sound.
struct ObjectMemory {
  private var files: [Path: (stamp: ObjectStamp, file: SoundFile)] = [:]

  /// The file that an object contains, unless the object has changed since it was found sound.
  func file(of object: StoredObject, in folder: ReplicaFolder) -> SoundFile? {
    guard let known = files[folder.path(of: object.name)], known.stamp == object.stamp else {
      return nil
    }
    return known.file
  }

  mutating func note(_ file: SoundFile, of object: StoredObject, in folder: ReplicaFolder) {
    files[folder.path(of: object.name)] = (object.stamp, file)
  }

  mutating func forget(_ name: DirectoryName, in folder: ReplicaFolder) {
    files[folder.path(of: name)] = nil
  }
}
