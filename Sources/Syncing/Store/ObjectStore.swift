import Bytes
import Crypto
import Platform

/// A place where devices leave immutable files of books, called objects, for each other.
///
/// An object is named after its content, so it never changes, and writers need no lock. Nothing in a store is trusted:
/// an object can be incomplete, old or forged, and a listing can be outdated. A store checks that an object matches its
/// name; readers check the object's frames.
protocol ObjectStore {
  /// The maximum number of bytes of frames in an object.
  var frameBytes: Int { get }
  /// The maximum size of an object, in bytes.
  var objectBytes: Int { get }

  /// The books that have objects, in order.
  func books() throws(SyncError) -> [UniqueID]

  /// The folders that contain objects of a book.
  func folders(of book: UniqueID) throws(SyncError) -> ReplicaFolders

  /// The folder for new objects of a replica, which need not exist yet.
  func folder(of replica: UniqueID, of book: UniqueID) -> ReplicaFolder

  /// The objects in a folder, or nil if there are too many; none if the folder does not exist.
  func list(_ folder: ReplicaFolder) throws(SyncError) -> ObjectList?

  /// Reads an object, and checks that it matches its name.
  func get(
    _ name: DirectoryName, in folder: ReplicaFolder
  ) throws(SyncError) -> Retrieved<ObjectContent>

  /// Reads a part of a stored object without checking it.
  ///
  /// The result is shorter than the range if the object ends before the range does.
  func get(
    _ name: DirectoryName, in folder: ReplicaFolder, bytes range: Range<Int>
  ) throws(SyncError) -> Retrieved<[UInt8]>

  /// Checks that the store exists, and creates a folder in it if the folder is missing.
  func prepare(_ folder: ReplicaFolder) throws(SyncError)

  /// Adds an object, which is durable and complete when the method returns.
  ///
  /// If an object already has the name, it consists of the same bytes and may be replaced.
  func put(_ file: FrameFile, in folder: ReplicaFolder) throws(SyncError) -> DirectoryName

  /// States that events are lost.
  func put(_ loss: LossName, in folder: ReplicaFolder) throws(SyncError)

  /// Removes an object.
  func delete(_ name: DirectoryName, in folder: ReplicaFolder) throws(SyncError)

  /// Removes the statement that events are lost.
  func delete(_ loss: LossName, in folder: ReplicaFolder) throws(SyncError)

  /// The refusal that corresponds to an error of ``prepare(_:)`` or `put`; nil if reading may fail as well.
  func refusal(for error: SyncError) -> WriteRefusal?
}

/// The part of a store that contains objects of one replica.
///
/// A replica may have several folders, because some file systems write the folders' names in capitals.
struct ReplicaFolder: Hashable, Comparable, Sendable {
  let replica: UniqueID
  /// The location of the folder, which identifies it and is shown to the user.
  let path: Path

  /// The location of an object, to be shown to the user.
  func path(of name: DirectoryName) -> Path { path / name.file }

  static func < (left: ReplicaFolder, right: ReplicaFolder) -> Bool {
    (left.path, left.replica) < (right.path, right.replica)
  }
}

/// The folders of a book.
struct ReplicaFolders {
  /// The folders, in the order of their replicas.
  var folders: [ReplicaFolder] = []
  /// Whether there were too many folders to read.
  var isTooMuch = false
  /// The location of the book.
  let path: Path
}

/// An object, as a listing describes it.
struct StoredObject: Hashable, Sendable {
  let name: DirectoryName
  let stamp: ObjectStamp
}

/// The properties that reveal a change to an object without reading the object.
struct ObjectStamp: Hashable, Sendable {
  /// The size in bytes.
  let size: Int
  /// The time of the last change to the bytes, which programs can set, in milliseconds since 1970.
  let modified: Int64
  /// The time of the last change to the bytes or the status, which programs cannot set; nil if it is not known.
  let changed: Int64?
}

/// The objects in a folder.
struct ObjectList {
  /// The objects with events, in the order of their events.
  var objects: [StoredObject] = []
  /// The events that are listed as lost.
  var losses: [LossName] = []

  var names: [DirectoryName] { objects.map(\.name) }
}

/// The result of reading from a store.
enum Retrieved<Value> {
  case found(Value)
  /// The object has disappeared, is not a plain file, or has a name that another program has changed.
  case absent
  /// The object cannot be read or does not match its name, but other objects may be valid.
  case unreadable(SyncProblem)
}

/// The content of an object that matches its name.
struct ObjectContent {
  let frames: [UInt8]
  /// The bytes of the object as it is stored.
  let stored: [UInt8]
}

/// Frames to be stored in one object: events of one branch, without holes.
struct FrameFile {
  let frames: [UInt8]
  let events: ClosedRange<UInt64>
  /// The chain hash at the last event.
  let end: Digest
}

/// The reason why a store accepts no object although its objects can be read.
struct WriteRefusal {
  let problem: SyncProblem
  /// Whether the store may still accept other objects.
  let isConfined: Bool
}
