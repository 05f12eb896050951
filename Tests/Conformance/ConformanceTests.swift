import Bytes
import Daybook
import Foundation
import Journaling
import Platform
import SimulatedPlatform
import Testing

/// Compares the program with a reader that was written from `protocol.md` alone.
@Suite struct ConformanceTests {
  static let python = "/usr/bin/python3"
  static let reader = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "reader.py").path()
  static let hasReader =
    (try? run([python, "-c", "import cryptography"])) != nil

  @Test(
    .enabled(if: hasReader, "python3-cryptography is not installed"))
  func `Conformance: an independent reader finds the same events, trust and state`() throws {
    let copies = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: copies) }
    var folders: [String] = []
    var expected: [Reading] = []
    for seed: UInt64 in 1...6 {
      let fleet = try Fleet(seed: seed, deviceCount: 2 + Int(seed % 2), stepCount: 45)
      for (number, book) in fleet.books.enumerated() {
        let copy = copies.appending(path: "\(seed)/\(number)")
        try Self.copy(Fleet.folder(number), of: fleet.simulated.disk, to: copy)
        folders.append(copy.path())
        expected.append(try Reading(of: book))
      }
    }
    let found = try Self.read(folders)
    try #require(found.count == expected.count)
    for (folder, (one, two)) in zip(folders, zip(found, expected)) {
      let differences = one.differences(from: two)
      #expect(differences.isEmpty, "\(folder.suffix(4)): \(differences)")
    }
    // The comparison is meaningful only if the books contain enough branches, holes and revocations.
    #expect(expected.count >= 20)
    #expect(expected.count { !$0.trunks.isEmpty } >= 5)
    #expect(expected.count { !$0.holes.isEmpty } >= 2)
    #expect(
      expected.count { reading in
        reading.logs.values.joined().contains { $0.split(separator: " ")[3] == "-" }
      } >= 5)
    #expect(expected.count { !$0.cuts.isEmpty } >= 5)
    #expect(expected.count { $0.admitted != $0.known } >= 2)
    #expect(Set(expected.map(\.digest)).count >= 8)
  }

  @Test(
    .enabled(if: hasReader, "python3-cryptography is not installed"))
  func `Conformance: an independent reader agrees on what counts after logs are lost`() throws {
    let copies = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: copies) }
    var folders: [String] = []
    var expected: [Reading.Outcome] = []
    // No frame of these fleets is damaged.
    for seed: UInt64 in [1, 2, 4, 5, 7, 8] {
      var fleet = try Fleet(seed: seed, deviceCount: 3, stepCount: 45)
      for number in fleet.books.indices {
        guard let book = try fleet.lose(from: number) else { continue }
        let copy = copies.appending(path: "\(seed)/\(number)")
        try Self.copy(Fleet.folder(number), of: fleet.simulated.disk, to: copy)
        folders.append(copy.path())
        expected.append(try Reading(of: book).outcome)
      }
    }
    let found = try Self.read(folders).map(\.outcome)
    for (folder, (one, two)) in zip(folders, zip(found, expected)) {
      #expect(one == two, "\(folder.suffix(4))")
    }
    #expect(found.count == expected.count)
    #expect(expected.count >= 12)
    #expect(expected.count { !$0.cuts.isEmpty } >= 3)
  }

  /// Reads books with the independent reader.
  private static func read(_ folders: [String]) throws -> [Reading] {
    try run([python, "-B", reader] + folders).split(separator: 0x0a).map { line in
      try JSONDecoder().decode(Reading.self, from: Data(line))
    }
  }

  private static func copy(
    _ folder: Path, of disk: SimulatedDisk, to copy: URL
  ) throws {
    try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
    for name in try disk.list(folder) {
      let (path, target) = (folder / name, copy.appending(path: name))
      if try disk.status(path)?.kind == .directory {
        try Self.copy(path, of: disk, to: target)
      } else {
        try Data(try disk.contents(of: path, limit: 64 << 20)).write(to: target)
      }
    }
  }

  struct Failed: Error { var status: Int32 }

  static func run(_ words: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: words[0])
    process.arguments = Array(words.dropFirst())
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed(status: process.terminationStatus) }
    return output
  }
}
