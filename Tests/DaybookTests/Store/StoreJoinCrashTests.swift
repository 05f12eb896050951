import Bytes
import Crypto
import Journaling
import Platform
import ReadModel
import Sealing
import SimulatedPlatform
import Syncing
import Testing
import Verifying

@testable import Daybook

/// Devices that are killed during a join through a sealed store.
struct StoreJoinCrashTests: StoreJoinSuite {
  let office: SealedOffice
  let address: StoreAddress

  init() throws {
    office = try SealedOffice("one", seed: 1_040)
    address = try office.address
  }

  /// A machine of the office with other disks.
  private func machine(_ name: String, _ disk: any Disk) throws -> Machine {
    let place = try place(name)
    return Machine(
      disk: disk, timekeeper: place.machine.timekeeper, dice: place.machine.dice,
      network: place.machine.network)
  }

  /// Runs a closure on a machine, and returns the disks before each change.
  private func moments(
    of name: String, _ body: (Machine) throws -> Void
  ) throws -> [MomentDisk.Moment] {
    let disk = MomentDisk(
      own: try place(name).simulated.disk.copy(), stick: office.office.stick.copy())
    try body(try machine(name, disk))
    return disk.moments
  }

  /// The machine after its process was killed at a moment.
  private func killed(_ name: String, at moment: MomentDisk.Moment) throws -> Machine {
    moment.own.kill()
    return try machine(name, MountedDisk(own: moment.own, sticks: [moment.stick]))
  }

  @Test func `Store join: a joiner that is killed at any write completes the join later`() throws {
    _ = try begin("two", try invite())
    try sync()
    let moments = try moments(of: "two") { machine in
      _ = try StoreJoining.resume(at: Office.folder, on: machine, view: .memory)
    }
    #expect(moments.count > 20)
    for moment in moments {
      let machine = try killed("two", at: moment)
      let result = try StoreJoining.resume(at: Office.folder, on: machine, view: .memory)
      let book = try result?.book ?? Book(at: Office.folder, on: machine, view: .memory)
      #expect(try book.id == one.id && book.deviceList.isAdmitted())
      #expect(try TrustingTests.names(book) == ["one"])
      #expect(try StoreJoining.pending(at: Office.folder, on: machine) == nil)
    }
  }

  @Test func `Store join: a joiner that is killed while it knocks has one key and one log later`()
    throws
  {
    let invitation = try invite(asking: false)
    func begin(on machine: Machine) throws -> Book {
      try StoreJoining.begin(
        at: Office.folder, by: invitation, on: machine, deviceName: "two", view: .memory,
        confirm: { _ in true }
      ).book
    }
    let moments = try moments(of: "two") { machine in _ = try begin(on: machine) }
    #expect(moments.count > 10)
    for moment in moments {
      let book = try begin(on: try killed("two", at: moment))
      #expect(book.core.store.journal.logs.values.count { $0.sequence > 0 } == 1)
      let key = try book.core.localDevice.shownKey
      let log = try #require(try book.core.localDevice.ownLog)
      #expect(try book.core.store.journal.publicKey(of: log) == key)
    }
  }

  @Test func `Founding: a device that is killed at any write has one key and one log later`() throws
  {
    func found(on machine: Machine) throws(DaybookError) -> Book {
      do throws(DaybookError) {
        return try BookFactory.create(
          at: Office.folder, on: machine, deviceName: "two", view: .memory)
      } catch .bookExists {
        return try Book(at: Office.folder, on: machine, view: .memory)
      }
    }
    let moments = try moments(of: "two") { machine in _ = try found(on: machine) }
    #expect(moments.count > 5)
    for moment in moments {
      let book = try found(on: try killed("two", at: moment))
      try TrustingTests.add("Home", to: book)
      #expect(book.core.store.journal.logs.values.count { $0.sequence > 0 } == 1)
      #expect(try book.deviceList.devices().count == 1)
    }
  }

  @Test func `Founding: a log without a writer that someone has continued is not continued`() throws
  {
    let place = try place("two")
    let book = try BookFactory.create(
      at: Office.folder, on: place.machine, deviceName: "two", view: .memory)
    let (log, key) = (try book.core.localDevice.ownLog, try book.core.localDevice.shownKey)
    try TrustingTests.add("Home", to: book)
    try book.access.withLock { () throws(DaybookError) in
      book.core.store.folder.file.writers = [:]
      try book.core.store.folder.saveFile()
    }
    let other = try Book(at: Office.folder, on: place.machine, view: .memory)
    try TrustingTests.add("Work", to: other)
    #expect(try other.core.localDevice.ownLog != log)
    #expect(try other.core.localDevice.shownKey == key)
    #expect(other.core.store.journal.logs.count == 2)
  }

  @Test func `Store join: an inviter that is killed at any write admits the device once`() throws {
    _ = try begin("two", try invite(asking: false))
    advance(10)
    let moments = try moments(of: "one") { machine in
      let book = try Book(at: Office.folder, on: machine, view: .memory)
      _ = try book.replicator.sync(with: .store(address))
    }
    #expect(moments.count > 10)
    for moment in moments {
      let book = try Book(
        at: Office.folder, on: try killed("one", at: moment), view: .memory)
      _ = try book.replicator.sync(with: .store(address))
      let file = StoreInvitationFile(store: book.core.store)
      #expect(try file.read().entries.map(\.secret) == [nil])
      #expect(try file.read().entries.map(\.outcome) == [KnockAnswer.admitted])
      #expect(try book.storeKeys.members().admitted.count == 2)
      // The joiner finds its answer in the same store.
      let joiner = MountedDisk(own: try place("two").simulated.disk.copy(), sticks: [moment.stick])
      let joined = try StoreJoining.resume(
        at: Office.folder, on: try machine("two", joiner), view: .memory)
      guard case .joined? = joined?.step else { throw Unjoined() }
      #expect(joined?.book.id == one.id)
    }
  }
}
