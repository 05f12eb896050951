@_exported public import Daybook
@_exported public import Platform
import SimulatedPlatform

/// A computer in memory, for tests of programs that keep a book.
///
/// The machine has its own empty disk, and a clock that the test sets. Two machines that have the same seed and perform
/// the same operations have the same ids, keys and files. A test machine never touches the real disk, and nothing
/// outlives the machine.
///
/// ```swift
/// let computer = TestMachine(seed: 1)
/// let book = try Book.open("/book", on: computer.machine, device: "laptop")
/// computer.advance(milliseconds: 60_000)
/// ```
///
/// The machine has one thread and no network. The sequences of ``Daybook/Book/following(todosOn:)`` therefore do not
/// advance, and a book can be synced through a ``TestStick`` or a bundle, but cannot be served.
public struct TestMachine: Sendable {
  private let simulated: SimulatedMachine

  /// The computer to pass to the functions that open a book.
  public let machine: Machine

  /// The folder of a stick on the machines that share the stick.
  public static let stickFolder = MountedDisk.stick(0).string

  /// Makes a machine with an empty disk.
  ///
  /// - Parameters:
  ///   - seed: The seed of the machine's random numbers. The machines in one test need different seeds, because
  ///     machines with the same seed make the same keys.
  ///   - milliseconds: The time that the machine's clock shows, in milliseconds since 1970. The default is 2026-01-02,
  ///     because a book treats a clock before 2026 as one that has never been set. The clock stands still, except while
  ///     a program waits for something.
  ///   - stick: A folder that this machine shares with others, at ``stickFolder``.
  public init(
    seed: UInt64, milliseconds: Int64 = 1_767_312_000_000, stick: TestStick? = nil
  ) {
    simulated = SimulatedMachine(seed: seed)
    simulated.timekeeper.set(Moment(milliseconds: milliseconds))
    let disk = MountedDisk(own: simulated.disk, sticks: stick.map { [$0.disk] } ?? [])
    machine = Machine(
      disk: disk, timekeeper: simulated.timekeeper, dice: simulated.dice,
      network: simulated.network, stateFolder: Path("/state/daybook"))
  }

  /// The time that the machine's clock shows, in milliseconds since 1970, which can be set forward and back.
  public var milliseconds: Int64 {
    get { simulated.timekeeper.now().milliseconds }
    nonmutating set { simulated.timekeeper.set(Moment(milliseconds: newValue)) }
  }

  /// Lets time pass.
  ///
  /// - Precondition: The number of milliseconds is not negative.
  public func advance(milliseconds: Int64) {
    simulated.timekeeper.advance(milliseconds: milliseconds)
  }

  /// Sets the offset of local time from UTC, in seconds; positive values are east of UTC.
  ///
  /// The offset is 0 until it is set.
  public func setLocalOffset(seconds: Int) {
    simulated.timekeeper.setLocalOffset(seconds: seconds)
  }
}

/// A folder that several machines of a test share, like a USB stick that is plugged into all of them.
///
/// ```swift
/// let stick = TestStick()
/// let laptop = TestMachine(seed: 1, stick: stick)
/// let phone = TestMachine(seed: 2, stick: stick)
/// ```
///
/// The books on these machines are synced with `Book.Peer.folder(TestMachine.stickFolder)`.
public struct TestStick: Sendable {
  let disk: SimulatedDisk

  /// Makes an empty stick.
  public init() {
    let machine = SimulatedMachine(seed: 0)
    disk = machine.disk
    do throws(DiskError) {
      try disk.makeDirectories(MountedDisk.stick(0))
    } catch {
      preconditionFailure("a new disk in memory has no faults")
    }
  }
}
