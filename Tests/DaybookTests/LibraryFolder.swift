import Daybook
import Foundation

/// A folder on the real machine for the books of a test, which is removed after the test.
final class LibraryFolder {
  let folder = FileManager.default.temporaryDirectory.appending(path: "daybook-\(UUID())").path()

  func open(_ name: String) throws -> Book {
    try Book.open("\(folder)/\(name)", on: .real, device: name)
  }

  deinit {
    // If this fails, only a temporary folder remains.
    try? FileManager.default.removeItem(atPath: folder)
  }
}
