import Bytes
import Daybook
import Domain
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Syncing
import Testing
import Verifying

/// Revoking a device refuses the erasures that are held.
struct RefusedErasureTests {
  private typealias Held = HeldErasureTests

  @Test func `Refused erasure: revoking a device refuses its held erasures on all devices`() throws
  {
    let (office, ids) = try Held.office("one", "two", "three", "four", lists: 12, seed: 1009)
    let books = office.books
    let (one, two, three, four) = (books[0], books[1], books[2], books[3])
    _ = try two.commands.perform(.addList(name: "Before", colour: nil))
    try Held.erase(ids, by: two)
    _ = try two.commands.perform(.addList(name: "Behind", colour: nil))
    try Held.sync(two, one)
    // The third device has not received the erasures, and the fourth device accepts them.
    try Held.sync(four)
    _ = try four.held.acceptErasures()
    #expect(try Held.shown(four) == 0 && !Held.onDisk(office.places[3]))
    let revocation = try one.revoker.revoke(try one.deviceList.device(called: "two"))
    #expect(revocation.refused == 12)
    #expect(try Held.held(one) == [:])
    #expect(try Held.shown(one) == 12)
    try Held.exchange(books)
    for book in [one, three, four] {
      #expect(try Held.shown(book) == 12)
      let names = try TrustingTests.names(book)
      #expect(names.contains("Before") && !names.contains("Behind"))
    }
    for book in books { #expect(try book.verifier.verify().faults == []) }
    #expect(Set(try [one, three, four].map { try $0.statusReader.digest() }).count == 1)
    // A few erasures by another device still pass.
    try Held.erase(ids.prefix(2), by: three)
    try Held.exchange([three, one, four])
    #expect(try Held.held(one) == [:] && Held.shown(one) == 10 && Held.shown(four) == 10)
  }

  @Test func `Refused erasure: erasures that passed before the first held one remain`() throws {
    let (office, ids) = try Held.office("one", "two", lists: 15, seed: 1010)
    let (one, two) = (office.books[0], office.books[1])
    try Held.erase(ids.prefix(4), by: two)
    try Held.sync(two, one)
    #expect(try Held.shown(one) == 11)
    try Held.erase(ids.suffix(11), by: two)
    try Held.sync(two, one)
    #expect(try Held.held(one) == ["two": 11])
    _ = try one.revoker.revoke(try one.deviceList.device(called: "two"))
    #expect(try Held.shown(one) == 11)
    try Held.exchange(office.books)
    #expect(try one.statusReader.status().missing.isEmpty)
    #expect(try one.statusReader.digest() == two.statusReader.digest())
  }

  @Test func `Refused erasure: erasures in a branch of the eraser's log are refused too`() throws {
    let (office, ids) = try Held.office("one", "two", lists: 24, seed: 1011)
    let (one, two) = (office.books[0], office.books[1])
    let twin = try office.clone("two", as: "twin")
    try office.place("twin").machine.disk.replace(
      Path("/etc/machine-id"), with: Array("two 1011\n".utf8))
    let copy = try office.place("twin").open()
    try Held.erase(ids.prefix(3), by: two)
    try Held.sync(two, one)
    #expect(try Held.shown(one) == 21)
    try Held.erase(ids[3..<16], by: copy)
    _ = twin
    try Held.sync(copy, one)
    #expect(try Held.held(one).values.reduce(0, +) == 13)
    #expect(try Held.shown(one) == 21)
    _ = try one.revoker.revoke(try one.deviceList.device(called: "two"))
    #expect(try Held.held(one) == [:])
    #expect(try Held.shown(one) == 21)
    #expect(try Held.held(office.places[0].open()) == [:])
    #expect(try one.verifier.verify().faults == [])
  }

  @Test func `Refused erasure: a second revocation refuses what the first one kept`() throws {
    let (office, ids) = try Held.office("one", "two", "three", lists: 12, seed: 1018)
    let (one, two, three) = (office.books[0], office.books[1], office.books[2])
    try Held.erase(ids, by: two)
    try Held.sync(two, three)
    _ = try three.held.acceptErasures()
    _ = try three.revoker.revoke(try three.deviceList.device(called: "two"))
    try Held.sync(three, one)
    #expect(try Held.held(one) == ["two": 12])
    #expect(try one.revoker.revoke(try one.deviceList.device(called: "two")).refused == 12)
    #expect(throws: DaybookError.self) {
      try one.revoker.revoke(try one.deviceList.device(called: "two"))
    }
    try Held.exchange([one, three])
    #expect(try Held.shown(one) == 12 && Held.shown(three) == 12)
    #expect(try one.statusReader.digest() == three.statusReader.digest())
    for book in [one, three] { #expect(try book.statusReader.status().missing.isEmpty) }
  }

  @Test func `Refused erasure: a revoked device refounding the book keeps all held records`() throws
  {
    let (office, ids) = try Held.office("one", "two", "three", lists: 12, seed: 1019)
    let (one, two, three) = (office.books[0], office.books[1], office.books[2])
    _ = try two.revoker.revoke(try two.deviceList.device(called: "one"))
    try Held.erase(ids, by: two)
    try Held.sync(two, one)
    #expect(try Held.held(one) == ["two": 12])
    #expect(throws: DaybookError.self) {
      try one.revoker.revoke(try one.deviceList.device(called: "two"))
    }
    try one.refounder.found(anew: try one.refounder.newFounding(with: ["three"]))
    #expect(try Held.held(one) == [:])
    #expect(try Held.shown(one) == 12)
    #expect(try one.statusReader.status().missing.isEmpty)
    _ = three
  }

  @Test func `Refused erasure: erasures by devices that the eraser admitted are refused too`()
    throws
  {
    let (office, ids) = try Held.office("one", "two", lists: 16, seed: 1020)
    let (one, two) = (office.books[0], office.books[1])
    let three = try office.join("three")
    try Held.sync(three)
    _ = try two.replicator.sync(with: Office.directory, admission: .always)
    try Held.exchange(office.books)
    try Held.erase(ids.prefix(8), by: two)
    try Held.erase(ids.suffix(8), by: three)
    try Held.sync(two, three, one)
    #expect(try Held.held(one) == ["two": 8, "three": 8])
    #expect(try one.revoker.revoke(try one.deviceList.device(called: "two")).refused == 16)
    #expect(try Held.shown(one) == 16 && Held.held(one) == [:])
  }
}
