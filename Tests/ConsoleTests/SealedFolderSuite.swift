import Bytes
import Console
import Daybook
import Phrasing
import Platform
import SimulatedPlatform
import Testing

/// Tests of two devices of one book that share a sealed folder.
protocol SealedFolderSuite {
  /// The devices, and an empty folder.
  var stage: Stage { get }
}

extension SealedFolderSuite {
  static var cloud: Path { Path("/home/ada/cloud") }
  static var phone: [String] { ["-C", "phone"] }

  var files: [Path: [UInt8]] { files(in: Self.cloud) }

  func files(in folder: Path) -> [Path: [UInt8]] {
    stage.machine.disk.files.filter { $0.key.names(below: folder) != nil }
  }

  /// Lets both devices use the folder.
  func seal() {
    #expect(stage.run("peer", "add", "cloud", "cloud", "--sealed").code == .done)
    #expect(stage.run("sync", "cloud").code == .done)
    #expect(stage.run(Self.phone + ["peer", "add", "cloud", "cloud", "--sealed"]).code == .done)
    #expect(stage.run(Self.phone + ["sync", "cloud"]).code == .done)
  }

  func titles(_ words: String...) throws -> [String] {
    let answer = stage.run(words + ["list", "todos", "--json"])
    let rows = try #require(try JSON(parsing: Array(answer.output.utf8)).array)
    return rows.compactMap { $0["title"]?.string }.sorted()
  }
}
