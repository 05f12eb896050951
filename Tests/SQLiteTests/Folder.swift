import Foundation
import SQLite

/// A folder that exists only during the test.
final class Folder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "daybook-\(UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    // Files that a test leaves in a temporary folder do no harm.
    try? FileManager.default.removeItem(at: url)
  }

  func path(_ name: String) -> String { url.appending(path: name).path }
}

/// Counts the rows of the table that these tests use.
func keptCount(_ connection: Connection) throws -> Int64 {
  var statement = try connection.prepare("SELECT count(*) FROM kept")
  _ = try statement.step()
  return statement.integer(0)
}
