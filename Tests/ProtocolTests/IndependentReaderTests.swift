import Bytes
import Crypto
import Foundation
import Journaling
import Platform
import SimulatedPlatform
import Testing

/// Lets tools that know nothing of daybook read its files: zcat, and Python with cbor2.
@Suite struct IndependentReaderTests {
  static let python = "/usr/bin/python3"
  static let hasReader = (try? run([python, "-c", "import cbor2"], input: "/dev/null")) != nil

  /// Reads what zcat gives as a sequence of CBOR items and goes along the chain.
  static let script = """
    import cbor2, hashlib, io, struct, sys
    sha = lambda *parts: hashlib.sha256(b"".join(parts)).digest()
    data = sys.stdin.buffer.read()
    stream, frames, heads, number, hash = io.BytesIO(data), 0, 0, 0, None
    def item():
        start = stream.tell()
        value = cbor2.load(stream)
        return value, data[start:stream.tell()]
    while stream.tell() < len(data):
        value, raw = item()
        if isinstance(value, dict) and 2 in value:
            assert hash in (None, value[2]), "frames do not join"
            frames, hash, seeds, first = frames + 1, value[2], value[3], number
        elif isinstance(value, dict):
            assert len(value[0]) == 64, "not a head"
            heads += 1
        else:
            _, body = item()
            number += 1
            seed = seeds[(number - 1) // 64 - first // 64]
            salt = sha(b"daybook salt v1", seed, struct.pack(">Q", number))[:16]
            hash = sha(hash, raw, sha(salt, body))
    print(frames, heads, number, hash.hex())
    """

  @Test(.enabled(if: hasReader, "python3-cbor2 is not installed"))
  func `zcat and another CBOR reader find the same events`() throws {
    let simulated = SimulatedMachine(seed: 7)
    var journal = try Journal(at: Path("/book"), on: simulated.machine)
    for number: UInt8 in 1...3 {
      let keys = try DeviceKeys(
        signingSeed: Array(repeating: number, count: 32),
        agreementSeed: Array(repeating: 99, count: 32))
      let log = try journal.begin(
        keys, incarnation: UniqueID(high: 0, low: UInt64(number)), name: "device \(number)",
        at: 1_700_000_000_000)
      try Self.write(to: log, keys, &journal)
      let expected = try Self.summary(of: log, in: journal)
      let folder = Path("/book/logs") / log.hex
      let copy = try Self.copy(folder, of: simulated.disk)
      defer { try? FileManager.default.removeItem(at: copy) }
      let names = try simulated.disk.list(folder).sorted()
      #expect(names.count == 3)
      let unpacked = try Self.run(
        ["/bin/zcat"] + names.map { copy.appending(path: $0).path() }, input: "/dev/null")
      let stream = copy.appending(path: "stream")
      try unpacked.write(to: stream)
      let found = try Self.run([Self.python, "-c", Self.script], input: stream.path())
      #expect(String(decoding: found, as: UTF8.self) == expected + "\n")
    }
  }

  static let hasWriter =
    (try? run([python, "-c", "import cryptography"], input: "/dev/null")) != nil

  @Test(.enabled(if: hasWriter, "python3-cryptography is not installed"))
  func `another implementation computes the same vectors`() throws {
    let folder = ProtocolText.root.appending(path: "Tests/ProtocolTests/Independent")
    let script = folder.appending(path: "vectors.py").path()
    let document = ProtocolText.root.appending(path: "protocol.md").path()
    let found = try Self.run([Self.python, "-B", script, document], input: "/dev/null")
    #expect(String(decoding: found, as: UTF8.self) == "")
  }

  /// Seals some events by hand and some for their number, and leaves some in a tail.
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

  /// What the script shall print.
  private static func summary(of log: UniqueID, in journal: borrowing Journal) throws -> String {
    var reader = try journal.reader(of: log)
    var (frames, heads, events) = (0, 0, 0)
    var hash: Digest?
    while let read = try reader.read() {
      frames += 1
      heads += read.frame.head == nil ? 0 : 1
      events += read.frame.events.count
      hash = read.frame.events.last?.hash
    }
    return "\(frames) \(heads) \(events) \(try #require(hash).hex)"
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
