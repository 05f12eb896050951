import Phrasing
import Platform

/// Sentences about remembered folders that are not sealed; no revocation ends access to such a folder.
enum OpenFolderWords {
  /// What anyone who can open the folders can do.
  ///
  /// - Parameters:
  ///   - folders: At least one folder.
  ///   - hasRevoked: Whether a device that may have access to the folders was revoked.
  /// - Returns: A sentence without a full stop, with advice if a device was revoked.
  static func text(_ folders: [Path], hasRevoked: Bool) -> String {
    let names = folders.map(\.string.visible).joined(separator: ", ")
    let (are, them) = folders.count == 1 ? ("is", "it") : ("are", "them")
    guard hasRevoked else {
      return "\(names) \(are) not sealed, so anyone who can open \(them) can read the book"
    }
    return
      "\(names) \(are) not sealed, so a revoked device that can open \(them) can still read the book; "
      + "change who can open \(them), or use 'daybook peer add NAME DIR --sealed' with a new folder"
  }
}
