import Platform
import ReadModel
import Sealing
import SimulatedPlatform
import Testing

@testable import Daybook

/// A device that leaves a book with a sealed store, and returns to it.
struct FormerBookTests {
  private static let second = MountedDisk.stick(0) / "second"

  private func join(_ place: Office.Place, from folder: Path) throws -> Book {
    try BookFactory.join(
      at: Office.folder, from: .directory(folder), on: place.machine, deviceName: place.name,
      view: .memory, confirm: { _ in true }
    ).book
  }

  @Test func `Former book: a device that returns to it has its keys again, and no others`() throws {
    let office = try SealedOffice("one", "two", seed: 981)
    let place = office.office.places[1]
    let ring = try office.books[1].storeKeys.ring()
    #expect(ring.keys.count == 1)
    try office.disk.makeDirectories(Self.second)
    let three = try office.office.found("three")
    _ = try three.replicator.sync(with: .directory(Self.second))
    let away = try join(place, from: Self.second)
    #expect(away.id == three.id)
    #expect(try away.storeKeys.ring() == KeyRing(book: three.id))
    let before = office.objects
    let error = #expect(throws: DaybookError.self) { try office.sync(away) }
    guard case .formerStore(SealedOffice.folder)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(office.objects == before)
    _ = try three.replicator.sync(with: .directory(Self.second), admission: .always)
    _ = try away.replicator.sync(with: .directory(Self.second))
    let made = try away.storeKeys.rotate()
    let back = try join(place, from: MountedDisk.stick(0))
    #expect(back.id == office.books[0].id)
    #expect(try back.storeKeys.ring() == ring)
    try TrustingTests.add("return", to: back)
    try office.sync(back)
    try office.sync(office.books[0])
    #expect(try TrustingTests.names(office.books[0]) == ["one", "return", "two"])
    #expect(try office.keys(openedBy: office.books[0]) == Set(ring.keys.map(\.key.id)))
    // The keys of the other book are kept for the next return.
    let again = try join(place, from: Self.second)
    #expect(try again.storeKeys.ring().keys.map(\.key.id) == [made.id])
  }
}
