import Foundation
import FuzzTargets
import Testing

/// Inputs from which the fuzzers start, and inputs that once caused a failure.
struct CorpusTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fuzzing/Corpus")

  @Test(arguments: FuzzTarget.allCases)
  func `Fuzzing corpus: each target accepts all of its inputs`(target: FuzzTarget) throws {
    let place = Self.folder.appending(path: target.rawValue)
    let names = try FileManager.default.contentsOfDirectory(atPath: place.path()).sorted()
    #expect(!names.isEmpty)
    for name in names {
      let bytes = [UInt8](try Data(contentsOf: place.appending(path: name)))
      #expect(throws: Never.self, "\(target.rawValue)/\(name)") { try target.take(bytes) }
    }
  }

  private static let makesSeeds = ProcessInfo.processInfo.environment["DAYBOOK_SEEDS"] != nil

  @Test(.enabled(if: makesSeeds), arguments: FuzzTarget.allCases)
  func `Fuzzing corpus: seeds are written from real output of the program`(
    target: FuzzTarget
  ) throws {
    let place = Self.folder.appending(path: target.rawValue)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    for (number, bytes) in try Seeds.of(target).enumerated() {
      let name = "seed-\(number < 10 ? "0" : "")\(number)"
      try Data(bytes).write(to: place.appending(path: name))
    }
  }
}
