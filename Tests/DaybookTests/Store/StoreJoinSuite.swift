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

/// Devices that join through a sealed store, and are never on at the same time as the inviter.
protocol StoreJoinSuite {
  var office: SealedOffice { get }
  var address: StoreAddress { get }
}

/// A join that should have been complete.
struct Unjoined: Error {}

extension StoreJoinSuite {
  /// The inviter.
  var one: Book { office.books[0] }

  func invite(asking isAsking: Bool = true) throws -> StoreInvitation {
    try one.invitations.storeDesk.invite(through: address, asking: isAsking).invitation
  }

  /// Syncs the inviter, which answers `isWelcome` if it is asked.
  @discardableResult
  func sync(_ isWelcome: Bool = true) throws -> Receipt {
    advance(10)
    return try one.replicator.sync(
      with: .store(address), greeting: .ask { _ in isWelcome })
  }

  func advance(_ milliseconds: Int64) {
    for place in office.office.places {
      place.simulated.timekeeper.advance(milliseconds: milliseconds)
    }
  }

  func place(_ name: String) throws -> Office.Place {
    let place = try office.office.place(name)
    let now = office.office.places[0].simulated.timekeeper.now()
    if place.simulated.timekeeper.now() < now { place.simulated.timekeeper.set(now) }
    return place
  }

  func begin(
    _ name: String, _ invitation: StoreInvitation
  ) throws -> (book: Book, step: StoreJoining.Step) {
    try StoreJoining.begin(
      at: Office.folder, by: invitation, on: try place(name).machine, deviceName: name,
      view: .memory, confirm: { _ in true })
  }

  func resume(_ name: String) throws -> (book: Book, step: StoreJoining.Step)? {
    try StoreJoining.resume(at: Office.folder, on: place(name).machine, view: .memory)
  }

  /// The book of a device whose join must be complete now.
  func joined(_ name: String) throws -> Book {
    let result = try #require(try resume(name))
    guard case .joined = result.step else { throw Unjoined() }
    return result.book
  }

  /// The fault with which a join ends.
  func fault(_ body: () throws -> Void) -> StoreJoinFault? {
    let error = #expect(throws: DaybookError.self) { try body() }
    guard case .storeJoin(let fault)? = error else { return nil }
    return fault
  }

  func isWaiting(_ result: (book: Book, step: StoreJoining.Step)?) -> Bool {
    if case .waiting? = result?.step { true } else { false }
  }

  /// The names of the files with invitations, on all machines.
  var files: [String] {
    let names = ["store-invitations", "store-join"]
    return office.office.places.flatMap { place in
      place.simulated.disk.files.keys.map(\.name).filter(names.contains)
    }.sorted()
  }
}
