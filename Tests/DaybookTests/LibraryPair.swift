import Daybook
import Platform
import PosixPlatform
import SimulatedPlatform

/// Two devices with one book, on machines in memory that share a stick.
struct LibraryPair {
  static let stick = Book.Peer.folder(MountedDisk.stick(0).string)
  let office: Office
  let laptop: Book
  let phone: Book

  init(seed: UInt64) throws {
    office = Office(seed: seed)
    let folder = Office.folder.string
    laptop = try Book.open(folder, on: office.place("laptop").machine, device: "laptop")
    try laptop.sync(with: Self.stick)
    phone = try Book.join(
      Self.stick, in: folder, on: office.place("phone").machine, device: "phone")
    try exchange()
  }

  /// Syncs until both devices hold the same events.
  func exchange() throws {
    for book in [laptop, phone, laptop, phone] {
      try book.sync(with: Self.stick, admitsAll: true)
    }
  }

  /// Sets the clock of a device forward, and returns its time in milliseconds since 1970.
  func advance(_ name: String, milliseconds: Int64) throws -> Int64 {
    let timekeeper = try office.place(name).simulated.timekeeper
    timekeeper.advance(milliseconds: milliseconds)
    return timekeeper.now().milliseconds
  }
}

/// The reason for a failure; nil if the function succeeds.
func reason(_ body: () throws(Book.Failure) -> Void) -> Book.Failure.Reason? {
  do throws(Book.Failure) { try body() } catch { return error.reason }
  return nil
}

extension Machine {
  /// The computer on which the tests run, without a state folder: a test leaves nothing in the home folder of the user.
  static let real = Machine.real(keepingStateIn: nil)

  /// The computer on which the tests run, with another state folder.
  static func real(keepingStateIn folder: Path?) -> Machine {
    Machine(
      disk: system.disk, timekeeper: system.timekeeper, dice: system.dice, network: system.network,
      beside: system.beside, memory: system.memory, stateFolder: folder)
  }
}
