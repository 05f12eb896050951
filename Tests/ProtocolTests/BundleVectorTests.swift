import Bytes
import Crypto
import Platform
import SimulatedPlatform
import Syncing
import Testing

/// The bundle of the vectors, and its messages.
struct BundleVector {
  let file: [UInt8]
  let hello: Hello
  /// The frames of each log, in order.
  private(set) var frames: [UniqueID: [[UInt8]]] = [:]
  /// The offsets of the messages.
  private(set) var offsets: [Int] = []

  init() throws {
    file = try ProtocolText.vector("bundle").bytes("file")
    var reader = MessageReader(at: 17)
    reader.append(Array(file.dropFirst(17)))
    offsets.append(reader.offset)
    guard case .hello(let hello)? = try reader.next() else { throw NoMessage() }
    self.hello = hello
    while true {
      offsets.append(reader.offset)
      switch try reader.next() {
      case .frame(let log, let frame)?: frames[log, default: []].append(frame)
      case .end(.nothing)?: return
      default: throw NoMessage()
      }
    }
  }

  struct NoMessage: Error {}
}

/// The program writes and reads the bundles of the vectors.
struct BundleVectorTests {
  private static let path = Path("/stick/all.daybook")

  /// A device without events that has the book of the vectors.
  private static func newcomer() throws -> VectorHolder {
    try VectorHolder(
      Hello(
        book: try ProtocolText.vector("names").id("book id"), replica: UniqueID.none,
        frontier: .nothing))
  }

  private static func machine(with file: [UInt8]? = nil) throws -> SimulatedMachine {
    let machine = SimulatedMachine(seed: 2)
    try machine.disk.makeDirectories(path.parent)
    if let file { try machine.disk.replace(path, with: file) }
    return machine
  }

  @Test func `Bundle: its messages are those of the vectors`() throws {
    let (vector, bundle) = (try ProtocolText.vector("bundle"), try BundleVector())
    #expect(Message.hello(bundle.hello).encoded == (try vector.bytes("hello")))
    let offsets = bundle.offsets.map { "\($0)" }.joined(separator: " ")
    #expect(offsets == (try vector.text("messages at")))
    #expect(SHA256.digest(of: bundle.file.dropLast(32)) == (try vector.digest("digest")))
    let ids = try VectorDevice.ids()
    let desk = try ProtocolText.vector("directory file").bytes("file")
    let phone = try ProtocolText.vector("message: frame").bytes("frame")
    #expect(bundle.frames.count == ids.count)
    #expect(bundle.frames[ids[0].id].map { Array($0.joined()) } == desk)
    #expect(bundle.frames[ids[1].id] == [phone])
  }

  @Test func `Bundle: the program writes the bundle of the vectors`() throws {
    let bundle = try BundleVector()
    let holder = try VectorHolder(bundle.hello, holding: bundle.frames)
    let machine = try Self.machine()
    let receipt = try Bundle.write(to: Self.path, from: holder, on: machine.machine)
    #expect(machine.disk.files[Self.path] == bundle.file)
    #expect(receipt.byteCount == bundle.file.count)
  }

  @Test func `Bundle: the program reads the bundle of the vectors`() throws {
    let bundle = try BundleVector()
    let machine = try Self.machine(with: bundle.file)
    let report = try Bundle.read(Self.path, into: Self.newcomer(), on: machine.machine)
    #expect(report.hello == bundle.hello)
    #expect(report.frontier == bundle.hello.frontier)
    #expect(report.problems == [])
    let stored = try ProtocolText.vector("bundle").text("stored")
    #expect(try VectorDevice.spelling(of: report.frontier) == stored)
  }

  static func damaged() throws -> [TestVector] {
    try ProtocolText.vectors().filter { $0.name.hasPrefix("damaged bundle: ") }
  }

  @Test(arguments: try damaged())
  func `Bundle: each damaged vector has its problems, and its whole frames are stored`(
    vector: TestVector
  ) throws {
    let file = try vector.file("file", from: BundleVector().file)
    let machine = try Self.machine(with: file)
    let newcomer = try Self.newcomer()
    #expect(try Self.problems(of: machine, into: newcomer) == vector.text("problems"))
    #expect(try VectorDevice.spelling(of: newcomer.hello.frontier) == vector.text("stored"))
  }

  private static func problems(
    of machine: SimulatedMachine, into holder: VectorHolder
  ) throws -> String {
    let report: Bundle.Report
    do throws(SyncError) {
      report = try Bundle.read(path, into: holder, on: machine.machine)
    } catch {
      return spelling(of: error)
    }
    return try VectorDevice.spelling(of: report.problems)
  }

  /// The error of a bundle of which nothing is read.
  private static func spelling(of error: SyncError) -> String {
    switch error {
    case .notABundle: "notABundle"
    case .version: "version"
    case .wrongBook: "otherBook"
    case .damagedBundle: "damaged"
    default: "\(error)"
    }
  }
}
