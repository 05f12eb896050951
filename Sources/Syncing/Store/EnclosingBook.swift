import Bytes
import Journaling
package import Platform

/// A book in whose folder another folder lies.
///
/// Nothing but the files of the book belongs there. Copies of logs would look like damage of the book, and its keys
/// would be next to files that are meant for others.
package struct EnclosingBook {
  /// The folder of the book.
  package let folder: Path

  /// The number of folders above a link's target that are searched, which is enough for each folder that a book has.
  private static let levelsAboveLinks = 4

  /// Finds the innermost book around a folder; nil if there is none.
  ///
  /// The folder itself is not searched.
  package init?(around folder: Path, on disk: any Disk) {
    var place = folder
    while place.parent != place {
      place = place.parent
      if Self.isBook(place, on: disk) {
        self.folder = place
        return
      }
    }
    // If the folder is a link, the folders around its target are not in its path.
    for level in 1...Self.levelsAboveLinks {
      let place = Path(folder.string + String(repeating: "/..", count: level))
      if Self.isBook(place, on: disk) {
        self.folder = place
        return
      }
    }
    return nil
  }

  /// Whether a folder is a book.
  ///
  /// A `book.json` file alone does not make a folder a book, because other programs and exports also write files of
  /// this name.
  static func isBook(_ folder: Path, on disk: any Disk) -> Bool {
    guard (try? disk.status(folder / LogShelf.logs.rawValue))??.kind == .directory,
      let bytes = try? disk.contents(of: folder / "book.json", limit: 1 << 20),
      let json = try? JSON(parsing: bytes), json["format"]?.integer != nil,
      let book = json["book"]?.string
    else { return false }
    return UniqueID(hex: book) != nil
  }
}
