import Bytes
import Crypto
import Platform
import SimulatedPlatform
import Syncing
import Testing

/// The program names, writes and reads the files of directory peers as in the vectors.
struct DirectoryVectorTests {
  private static let folder = Path("/stick")

  /// A machine with an empty folder.
  private static func machine() throws -> SimulatedMachine {
    let machine = SimulatedMachine(seed: 3)
    try machine.disk.makeDirectories(folder)
    return machine
  }

  @Test func `Directory: the program writes the files of the vectors`() throws {
    let bundle = try BundleVector()
    let holder = try VectorHolder(bundle.hello, holding: bundle.frames)
    let machine = try Self.machine()
    var peer = try DirectoryPeer(at: Self.folder, on: machine.machine)
    let report = try peer.push(from: holder)
    #expect(report.problems == [])
    let vector = try ProtocolText.vector("directory file")
    let phone = try ProtocolText.vector("directory paths").text("frame of the phone")
    #expect(
      machine.disk.files == [
        try Self.path(vector.text("path")): try vector.bytes("file"),
        Self.path(phone): try ProtocolText.vector("message: frame").bytes("frame"),
      ])
  }

  /// The path of a file in the folder.
  private static func path(_ text: String) -> Path {
    text.split(separator: "/").reduce(folder) { $0 / String($1) }
  }

  @Test func `Directory: each path of the vectors is that of its content`() throws {
    let book = try ProtocolText.vector("names").id("book id")
    let bundle = try BundleVector()
    let ids = try VectorDevice.ids().map(\.id)
    let desk = try #require(bundle.frames[ids[0]])
    let contents: [(String, UniqueID, [UInt8])] = [
      ("first frame of the desk", ids[0], desk[0]), ("second frame of the desk", ids[0], desk[1]),
      ("frame of the phone", ids[1], try #require(bundle.frames[ids[1]]).first ?? []),
    ]
    let paths = try ProtocolText.vector("directory paths")
    #expect(paths.pairs.map(\.key) == contents.map(\.0))
    for (key, log, content) in contents {
      let label = FrameLabel(content.span, at: 0)
      let events = try #require(label?.events)
      let name = DirectoryName(events: events, digest: SHA256.digest(of: content).prefix16)
      #expect("\(book.hex)/\(log.hex)/\(name.string)" == (try paths.text(key)))
    }
  }

  @Test func `Directory: each name of the vectors has its meaning`() throws {
    let vector = try ProtocolText.vector("directory names")
    #expect(vector.pairs.count { $0.value == "none" } > 10)
    for (name, meaning) in vector.pairs {
      #expect(Self.meaning(of: name) == meaning, "\(name)")
    }
  }

  private static func meaning(of file: String) -> String {
    if let loss = LossName(file) {
      return "lost \(spelling(of: loss.events)) \(loss.end.hex)"
    }
    guard let name = DirectoryName(file) else { return "none" }
    let isCopy = name.string != name.file.lowercased()
    return "\(spelling(of: name.events)) \(name.digest.hex)\(isCopy ? " copy" : "")"
  }

  private static func spelling(of events: ClosedRange<UInt64>) -> String {
    "\(events.lowerBound)…\(events.upperBound)"
  }

  static func folders() throws -> [TestVector] {
    try ProtocolText.vectors().filter { $0.name.hasPrefix("directory: ") }
  }

  @Test(arguments: try folders())
  func `Directory: each file of the vectors is read, reported or ignored`(
    vector: TestVector
  ) throws {
    let whole = try ProtocolText.vector("directory file")
    let book = try whole.id("book id")
    let machine = try Self.machine()
    let path = try Self.folder / book.hex / whole.text("replica id") / vector.text("name")
    try machine.disk.makeDirectories(path.parent)
    try machine.disk.replace(path, with: vector.file("file", from: whole.bytes("file")))
    let newcomer = try VectorHolder(
      Hello(book: book, replica: UniqueID.none, frontier: .nothing))
    var peer = try DirectoryPeer(at: Self.folder, on: machine.machine)
    let report = try peer.pull(book, into: newcomer)
    #expect(try VectorDevice.spelling(of: report.problems) == vector.text("problem"))
    #expect(try VectorDevice.spelling(of: newcomer.hello.frontier) == vector.text("stored"))
  }
}
