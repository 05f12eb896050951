import Bytes
import Crypto
import Foundation
import Journaling
import Platform
import SimulatedPlatform
import Testing

/// Reads files with tools from outside daybook, and checks the vectors with an implementation in Python.
@Suite struct IndependentReaderTests {
  static let python = "/usr/bin/python3"
  @Test func `Independent reader: zcat prints the content of all frames`() throws {
    let simulated = SimulatedMachine(seed: 7)
    var journal = try Journal(at: Path("/book"), on: simulated.machine)
    let keys = try LogVector.deskKeys()
    let log = try journal.begin(
      keys, incarnation: UniqueID(high: 0, low: 1), name: "desk", at: 1_700_000_000_000)
    try Self.write(to: log, keys, &journal)
    let folder = Path("/book/logs") / log.hex
    let copy = try Self.copy(folder, of: simulated.disk)
    defer { try? FileManager.default.removeItem(at: copy) }
    let names = try simulated.disk.list(folder).sorted()
    #expect(names.count == 3)
    let unpacked = try Self.run(
      ["/bin/zcat"] + names.map { copy.appending(path: $0).path() }, input: "/dev/null")
    #expect(Array(unpacked) == (try Self.contents(of: log, in: journal)))
  }

  static let hasWriter =
    (try? run([python, "-c", "import cryptography"], input: "/dev/null")) != nil

  @Test(
    .enabled(if: hasWriter, "python3-cryptography is not installed"),
    arguments: [
      ("vectors.py", "docs/vectors.md"), ("sealed.py", "docs/store-vectors.md"),
      ("proof.py", "docs/proof-vectors.md"),
    ])
  func `Independent reader: another implementation computes the same vectors`(
    script: String, document: String
  ) throws {
    let folder = ProtocolText.root.appending(path: "Tests/ProtocolTests/Independent")
    let script = folder.appending(path: script).path()
    let document = ProtocolText.root.appending(path: document).path()
    let found = try Self.run([Self.python, "-B", script, document], input: "/dev/null")
    #expect(String(decoding: found, as: UTF8.self) == "")
  }

  /// Writes a sealed file, a batch large enough to be sealed immediately, and a tail.
  private static func write(
    to log: UniqueID, _ keys: DeviceKeys, _ journal: inout Journal
  ) throws {
    let many = (1...1_500).map { command($0, eventCount: 1 + $0 % 3) }
    _ = try journal.append([command(0, eventCount: 2)], to: log, keys: keys)
    try journal.seal(log, keys: keys)
    _ = try journal.append(many, to: log, keys: keys)
    for number in 2_000...2_010 {
      _ = try journal.append([command(number, eventCount: 1)], to: log, keys: keys)
    }
  }

  private static func command(_ number: Int, eventCount: Int) -> Command {
    let events = (0..<eventCount).map { index in
      var writer = CBORWriter()
      writer.arrayHeader(4)
      for item: UInt64 in [0, 2, 5] { writer.unsigned(item) }
      writer.text("To-do \(number).\(index), which is not a short one")
      return NewEvent(when: number % 7 == 0 ? Int64(number) : nil, body: writer.bytes)
    }
    return Command(time: 1_700_000_000_000 + Int64(number), events: events)
  }

  private static func contents(of log: UniqueID, in journal: borrowing Journal) throws -> [UInt8] {
    var reader = try journal.reader(of: log)
    var contents: [UInt8] = []
    while let read = try reader.read() { contents += read.frame.content }
    return contents
  }

  private static func copy(_ folder: Path, of disk: SimulatedDisk) throws -> URL {
    let copy = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
    for name in try disk.list(folder) {
      let bytes = try disk.contents(of: folder / name, limit: 64 << 20)
      try Data(bytes).write(to: copy.appending(path: name))
    }
    return copy
  }

  struct Failed: Error { var status: Int32 }

  private static func run(_ words: [String], input: String) throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: words[0])
    process.arguments = Array(words.dropFirst())
    process.standardInput = FileHandle(forReadingAtPath: input)
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed(status: process.terminationStatus) }
    return output
  }
}
