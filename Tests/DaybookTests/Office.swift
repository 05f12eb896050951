import Daybook
import Platform
import PosixPlatform
import ReadModel
import SimulatedPlatform

/// Machines with separate disks and a shared stick that reach each other over loopback.
final class Office {
  static let folder = Path("/home/book")
  static let directory = PeerAddress.directory(MountedDisk.stick(0))
  let stick = SimulatedMachine(seed: 0).disk
  private let seed: UInt64
  private(set) var places: [Place] = []

  /// One machine of the office.
  final class Place {
    let name: String
    let simulated: SimulatedMachine
    let machine: Machine
    /// The book; nil until it is founded or joined.
    var book: Book?

    fileprivate init(
      _ name: String, seed: UInt64, stick: SimulatedDisk, timekeeper: (any Timekeeper)?
    ) throws {
      self.name = name
      simulated = SimulatedMachine(seed: seed)
      machine = Machine(
        disk: MountedDisk(own: simulated.disk, sticks: [stick]),
        timekeeper: timekeeper ?? simulated.timekeeper,
        dice: simulated.dice, network: PosixNetwork())
      for folder in [Path("/etc"), MountedDisk.stick(0)] {
        try machine.disk.makeDirectories(folder)
      }
      try machine.disk.replace(Path("/etc/machine-id"), with: Array("\(name) \(seed)\n".utf8))
    }

    func open() throws -> Book { try Book(at: Office.folder, on: machine, view: .memory) }
  }

  private let timekeeper: (any Timekeeper)?

  /// Tests in which two processes of one machine write at once need a timekeeper that really waits.
  init(seed: UInt64, timekeeper: (any Timekeeper)? = nil) {
    (self.seed, self.timekeeper) = (seed, timekeeper)
  }

  func place(_ name: String) throws -> Place {
    if let place = places.first(where: { $0.name == name }) { return place }
    let place = try Place(
      name, seed: seed &* 1000 &+ UInt64(places.count + 1), stick: stick,
      timekeeper: timekeeper)
    places.append(place)
    return place
  }

  /// Founds a book on a machine.
  func found(_ name: String) throws -> Book {
    let place = try place(name)
    let book = try BookFactory.create(
      at: Self.folder, on: place.machine, deviceName: name, view: .memory)
    place.book = book
    return book
  }

  /// The book on a machine, which joins the peer's book if it has none.
  func join(
    _ name: String, from peer: PeerAddress = Office.directory, pin: Pin? = nil
  ) throws -> Book {
    let place = try place(name)
    if let book = place.book { return book }
    let (book, _) = try BookFactory.join(
      at: Self.folder, from: peer, on: place.machine, deviceName: name, pin: pin,
      view: .memory, confirm: { _ in true })
    place.book = book
    return book
  }

  /// A copy of a machine's book on another machine, with all its keys.
  func clone(_ original: String, as name: String) throws -> Book {
    let files = try place(original).simulated.disk.files
    let place = try place(name)
    for (path, bytes) in files where path != Path("/etc/machine-id") {
      try place.machine.disk.makeDirectories(path.parent)
      try place.machine.disk.replace(path, with: bytes)
    }
    return try place.open()
  }

  var books: [Book] { places.compactMap(\.book) }
}

extension Office {
  /// Syncs until all books hold the same events.
  func exchange() throws {
    for _ in 0..<2 {
      for book in books { _ = try book.replicator.sync(with: Self.directory, admission: .always) }
    }
    for book in books { _ = try book.replicator.sync(with: Self.directory) }
  }
}
