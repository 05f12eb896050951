package import Bytes
import Journaling
package import Platform
import Syncing

/// The paths of the files of a book.
package struct Layout: Sendable {
  package let folder: Path

  package init(folder: Path) { self.folder = folder }

  package var bookFile: Path { folder / "book.json" }
  package var logs: Path { folder / LogShelf.logs.rawValue }
  package var keys: Path { folder / "keys" }
  package var quarantine: Path { folder / "quarantine" }
  package var peers: Path { folder / "peers" }
  package var contacts: Path { folder / "contacts" }
  package var invitations: Path { folder / "invitations" }
  /// The invitations through sealed stores.
  package var storeInvitations: Path { folder / "store-invitations" }
  /// The invitation through which this device is joining a book.
  package var storeJoin: Path { folder / "store-join" }
  package var serving: Path { folder / "serving" }
  package var holes: Path { folder / "holes" }
  package var trust: Path { folder / "trust" }
  package var view: Path { folder / "view.sqlite" }
  /// A copy of the read model from before one of several losses, numbered from 1.
  func viewBeforeLoss(_ number: Int) -> Path {
    folder / (number == 1 ? "view-before-loss.sqlite" : "view-before-loss-\(number).sqlite")
  }
  package var lock: Path { folder / "lock" }

  /// The file that records which of a folder peer's files were read.
  package func memory(of peer: Path) -> Path { folder / MemoryFile.name(of: peer) }

  /// The file with the store keys of a book, which is this book or a former one.
  package func storeKeys(of book: UniqueID) -> Path { keys / "store-\(book.hex).keys" }

  package func key(of replica: UniqueID) -> Path { keys / "\(replica.hex).pem" }

  /// The replica whose key is in a file with this name.
  static func replica(ofKey name: String) -> UniqueID? {
    name.hasSuffix(".pem") ? UniqueID(hex: String(name.dropLast(4))) : nil
  }
}
