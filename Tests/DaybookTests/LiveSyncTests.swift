import Crypto
import Journaling
import Platform
import ReadModel
import SimulatedPlatform
import Syncing
import Testing
import Verifying

@testable import Daybook

/// Books that stay connected.
struct LiveSyncTests {
  @Test func `Live sync: a commit of any process on either side reaches the other at once`() throws
  {
    let circle = try Circle("one", "two", seed: 2101)
    try circle[0].serve(at: 7)
    try circle[1].follow([7: "one"])
    try circle.turn()
    try circle[0].add("from one")
    try circle.turn()
    #expect(try circle[1].names() == ["from one"])
    try circle[1].add("from two")
    try circle.turn()
    #expect(try circle[0].names() == ["from one", "from two"])
    #expect(circle[0].told == ["met two, +0 -0", "two, +0 -1", "two, +1 -0"])
    #expect(circle[1].told == ["met one, +0 -0", "one, +1 -0", "one, +0 -1"])
    circle[0].stop()
    try circle.turn()
    #expect(circle[1].told.last == "left one")
    for member in circle.members { #expect(try member.book.verifier.verify().faults == []) }
  }

  @Test func `Live sync: both sides store concurrent commits before they report them`() throws {
    let circle = try Circle("one", "two", seed: 2107)
    try circle[0].serve(at: 7)
    try circle[1].follow([7: "one"])
    try circle.turn()
    for member in circle.members { try member.add("by \(member.name)") }
    let lives = try circle.members.map { try #require($0.live) }
    func held(_ live: LiveSync) -> UInt64 { live.book.core.store.heldEvents().values.reduce(0, +) }
    let before = lives.map(held)
    var turns = 0
    while zip(lives, before).contains(where: { held($0) < $1 + 2 }), turns < 50 {
      try circle.turn(1)
      turns += 1
    }
    #expect(circle.members.map { $0.told.count { $0.contains("+1") } } == [0, 0])
    try circle.turn()
    for member in circle.members { #expect(try member.names() == ["by one", "by two"]) }
    #expect(circle[0].told == ["met two, +0 -0", "two, +0 -1", "two, +1 -0"])
    #expect(circle[1].told == ["met one, +0 -0", "one, +0 -1", "one, +1 -0"])
  }

  @Test func `Live sync: events received from several peers at once are reported for each`() throws
  {
    let circle = try Circle("one", "two", "three", seed: 2109)
    try circle[0].serve(at: 7)
    for place in 1...2 { try circle[place].follow([7: "one"]) }
    try circle.turn()
    for place in 1...2 { try circle[place].add("by \(place)") }
    try circle.turn()
    #expect(try circle[0].names() == ["by 1", "by 2"])
    #expect(
      circle[0].told.sorted()
        == [
          "met three, +0 -0", "met two, +0 -0", "three, +0 -1", "three, +1 -0", "two, +0 -1",
          "two, +1 -0",
        ])
  }

  @Test func `Live sync: events stored before the line broke are reported`() throws {
    let circle = try Circle("one", "two", seed: 2108)
    try circle[0].serve(at: 7)
    try circle[1].follow([7: "one"])
    try circle.turn()
    let live = try #require(circle[1].live)
    func held() -> Int { live.book.core.store.heldEvents().values.reduce(0) { $0 + Int($1) } }
    let before = held()
    try circle[0].add("just in time")
    var turns = 0
    while held() == before, turns < 50 {
      for member in circle.members where held() == before {
        try member.live?.turn(patienceMilliseconds: 0)
      }
      turns += 1
    }
    #expect(circle[1].told == ["met one, +0 -0"])
    circle.network.cutLines()
    try circle.turn(1)
    #expect(circle[1].told.prefix(2) == ["met one, +0 -0", "one, +1 -0"])
    #expect(try circle[1].names() == ["just in time"])
  }

  @Test func `Live sync: events travel along a chain of devices`() throws {
    let circle = try Circle("one", "two", "three", seed: 2102)
    try circle[0].serve(at: 7)
    try circle[1].follow([7: "one"])
    // The device in the middle has two connections: a connection that it follows, and a connection on which it is
    // called.
    let middle = try #require(circle[1].live)
    try middle.listen(circle[1].machine.network.listen(host: "here", port: 8))
    try circle[2].follow([8: "two"])
    try circle.turn()
    for (place, member) in circle.members.enumerated() {
      try member.add("by \(place)")
      try circle.turn()
    }
    for member in circle.members { #expect(try member.names() == ["by 0", "by 1", "by 2"]) }
    #expect(circle[2].told == ["met two, +0 -0", "two, +1 -0", "two, +1 -0", "two, +0 -1"])
    #expect(
      circle[1].told.sorted()
        == [
          "met one, +0 -0", "met three, +0 -0", "one, +0 -1", "one, +0 -1", "one, +1 -0",
          "three, +0 -1", "three, +0 -1", "three, +1 -0",
        ].sorted())
  }

  @Test func `Live sync: a lost peer is reported once, called again and catches up`() throws {
    let circle = try Circle("one", "two", seed: 2103)
    try circle[0].serve(at: 7)
    try circle[1].follow([7: "one"])
    try circle.turn()
    circle.network.cutLines()
    circle[0].stop()
    try circle[0].add("meanwhile")
    try circle[1].add("here, too")
    try circle.pass(seconds: 300)
    // The failure to reach the peer is reported only once, regardless of the number of attempts.
    let refused = DaybookError.network(.refused("here:7"))
    #expect(
      circle[1].told == [
        "met one, +0 -0", "lost one, for now: \(DaybookError.sync(.network(.cut)))",
        "lost one, for now: \(refused)",
      ])
    try circle[0].serve(at: 7)
    try circle.pass(seconds: 61)
    #expect(circle[1].told.last == "met one, +1 -1")
    #expect(try circle[0].names().sorted() == ["here, too", "meanwhile"])
    #expect(try circle[1].names().sorted() == ["here, too", "meanwhile"])
    // If the connection is lost again, the next attempt follows soon.
    circle.network.cutLines()
    try circle.pass(seconds: 2)
    #expect(circle[1].told.last == "met one, +0 -0")
  }

  @Test func `Live sync: a revoked peer is refused at the next news`() throws {
    let circle = try Circle("one", "two", seed: 2104)
    try circle[0].serve(at: 7)
    try circle[1].follow([7: "one"])
    try circle.turn()
    _ = try circle[0].book.revoker.revoke(try circle[0].book.deviceList.device(called: "two"))
    try circle[0].add("secret")
    try circle.turn()
    #expect(try circle[1].names() == [])
    #expect(circle[0].told.last == "turned away: \(SyncError.unwelcome(.revokedKey))")
    #expect(circle[1].told.last?.hasPrefix("lost one, for now: sync(") == true)
    try circle.pass(seconds: 120)
    #expect(try circle[1].names() == [])
    #expect(circle[0].told.last?.hasPrefix("turned away: tls(") == true)
  }

  @Test func `Live sync: a connected device is told that a peer does not keep its events`() throws {
    let circle = try Circle("one", "two", seed: 2107)
    try circle[0].serve(at: 7)
    try circle[1].follow([7: "one"])
    try circle.turn()
    let two = try circle[0].book.deviceList.device(called: "two")
    let usage = try #require(try circle[0].book.statusReader.usage().first)
    let full = Quota(logs: 3, events: usage.used.events, bytes: 1 << 20)
    try circle[0].book.admin.setQuota(full, of: two)
    let receipts = try #require(circle[1].live?.book.receipts)
    #expect(try receipts.untakenAtLastSync() == [])
    for count in 1...2 {
      try circle[1].add("list \(count)")
      try circle.pass(seconds: 1)
      #expect(
        try receipts.untakenAtLastSync() == [Finding.Counted(name: "one", count: UInt64(count))])
    }
    #expect(circle[1].told == ["met one, +0 -0", "one, +0 -1", "one, +0 -1"])
    #expect(try circle[0].names() == [])
    // The other side reports and notes that it has left them out.
    #expect(circle[0].told.prefix(2) == ["met two, +0 -0", "two, +0 -0"])
    #expect(try circle[0].live?.book.statusReader.usage().map(\.isHeldBack) == [true])
  }

  @Test func `Live sync: a device that follows notes whether a machine rejects it`() throws {
    let circle = try Circle("one", "two", seed: 2106)
    try circle[0].serve(at: 7)
    try circle[1].follow([7: "one"])
    let book = try #require(circle[1].live?.book)
    let notes = RejectionNotes(localDevice: book.core.localDevice, projector: book.core.projector)
    let peer = PeerAddress.tcp(host: "here", port: 7)
    try notes.note(true, by: peer, of: book.contactBook)
    #expect(try book.healthCheck.rejectingMachines() == [])
    try book.contactBook.addPeer("one", at: peer)
    try notes.note(true, by: peer, of: book.contactBook)
    #expect(try book.healthCheck.rejectingMachines() == ["one"])
    try circle.turn()
    #expect(try book.healthCheck.rejectingMachines() == [])
    _ = try circle[0].book.revoker.revoke(try circle[0].book.deviceList.device(called: "two"))
    try circle[0].add("secret")
    try circle.pass(seconds: 120)
    #expect(try book.healthCheck.rejectingMachines() == ["one"])
  }

  @Test func `Live sync: a device admitted while it follows takes part at once`() throws {
    let office = Office(seed: 2105)
    _ = try office.found("one")
    _ = try office.books[0].replicator.sync(with: Office.directory)
    _ = try office.join("two")
    let circle = try Circle(office, ["one", "two"])
    try circle[1].add("by two")
    try circle[0].serve(at: 7, admission: .always)
    try circle[1].follow([7: "one"])
    try circle.turn()
    #expect(try circle[0].names() == ["by two"])
    #expect(try circle[1].book.deviceList.devices().allSatisfy { $0.standing != .waiting })
    try circle[0].add("by one")
    try circle.turn()
    #expect(try circle[1].names().sorted() == ["by one", "by two"])
  }

  @Test func `Live sync: a device that syncs once passes its events to devices that stay`() throws {
    let circle = try Circle("one", "two", "three", seed: 2106)
    try circle[0].serve(at: 7)
    try circle[1].follow([7: "one"])
    try circle.turn()
    try circle[2].add("by three")
    // A complete sync of another device, step by step.
    let three = circle[2]
    let line = try three.machine.network.dial(host: "here", port: 7, patienceMilliseconds: 0)
    let secure = try SecureLine(
      .client, over: line, as: three.book.core.localDevice.identity, timekeeper: circle.clock
    ) { _ in true }
    while try !secure.shakeHands(patienceMilliseconds: 0) { try circle.turn(1) }
    try three.book.settler.prepareToSync()
    var visit = LinePeer(
      .dialler, over: secure, holder: BookReplica(of: three.book.replica, with: secure.peerKey),
      timekeeper: circle.clock, peerKey: secure.peerKey)
    while try visit.advance(patienceMilliseconds: 0) == .waiting { try circle.turn(1) }
    try circle.turn()
    #expect(try circle[1].names() == ["by three"])
    #expect(circle[0].told == ["met two, +0 -0", "met three, +1 -0", "two, +0 -1"])
  }
}
