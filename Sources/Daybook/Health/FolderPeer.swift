package import Platform
package import Syncing

/// A remembered folder, as a look at its names and permissions shows it.
package struct FolderPeer: Hashable, Sendable {
  package enum State: Hashable, Sendable {
    /// The folder contains this book and can be written to.
    case sound
    /// There is nothing at the path, for example because a disk is not mounted.
    case away
    /// The folder contains nothing although a sync with it finished at this time, in milliseconds.
    case emptied(since: Int64)
    /// The folder contains nothing of this book, so the next sync writes the whole book there.
    case lacking
    /// This device may not write into a directory of the folder.
    case closed(DiskError)
    /// The folder contains a sealed store of a book that this book has replaced.
    case former
    /// A sync with the folder would fail.
    case unusable(SyncError)
  }

  /// The name of the peer.
  package var name: String
  package var path: Path
  package var isSealed: Bool
  package var state: State

  package init(name: String, path: Path, isSealed: Bool = false, state: State) {
    (self.name, self.path, self.isSealed, self.state) = (name, path, isSealed, state)
  }

  var verdict: Diagnosis.Verdict {
    switch state {
    case .sound: .ok
    // A stick need not always be plugged in, and a new folder is empty.
    case .away, .lacking: .note
    case .emptied, .closed, .former, .unusable: .problem
    }
  }
}

/// The objects of a remembered sealed store that waited for a key when the store was last listed.
package struct UnopenedObjects: Hashable, Sendable {
  /// The name of the peer.
  package var peer: String
  package var objects: WaitingObjects

  package init(peer: String, objects: WaitingObjects) {
    (self.peer, self.objects) = (peer, objects)
  }
}
