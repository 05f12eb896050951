import Bytes
import Journaling
package import Platform

/// The book whose folder contains another folder.
///
/// Only the files of the book belong in its folder. Copies of logs would look like damage to the book, and the book's
/// keys would be next to files that are meant for others.
package struct EnclosingBook {
  /// The folder of the book.
  package let folder: Path

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
