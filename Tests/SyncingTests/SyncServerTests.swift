import Bytes
import Crypto
import Platform
import SimulatedPlatform
import TestDice
import Testing

@testable import Syncing

/// Many sessions on one thread, over a simulated network.
struct SwitchboardTests {
  @Test func `Sync server: news of either side is sent while both stay connected`() throws {
    var exchanges = Exchanges()
    let (anna, bert) = (try exchanges.add(.anna, 1).listen(at: 7), try exchanges.add(.bert, 2))
    anna.holder.write(["a1"], to: .anna)
    bert.holder.write(["b1"], to: .bert)
    bert.dial(7)
    try exchanges.turn()
    for side in [anna, bert] {
      #expect(side.holder.texts(of: .anna) == ["a1"])
      #expect(side.holder.texts(of: .bert) == ["b1"])
      #expect(side.board.count == 1)
    }
    anna.write("a2")
    bert.write("b2")
    try exchanges.turn()
    for side in [anna, bert] {
      #expect(side.holder.texts(of: .anna) == ["a1", "a2"])
      #expect(side.holder.texts(of: .bert) == ["b1", "b2"])
      #expect(side.ends == [])
    }
  }

  @Test func `Sync server: news of one peer is forwarded to the others`() throws {
    var exchanges = Exchanges()
    let anna = try exchanges.add(.anna, 1).listen(at: 7)
    let bert = try exchanges.add(.bert, 2).listen(at: 8)
    let cleo = try exchanges.add(.cleo, 3)
    bert.dial(7)
    cleo.dial(8)
    try exchanges.turn()
    cleo.write("c1")
    try exchanges.turn()
    anna.write("a1")
    try exchanges.turn()
    for side in [anna, bert, cleo] {
      #expect(side.holder.texts(of: .cleo) == ["c1"])
      #expect(side.holder.texts(of: .anna) == ["a1"])
    }
    #expect(bert.board.count == 2)
  }

  @Test func `Sync server: a call ends after the sync if one side does not stay connected`() throws
  {
    var exchanges = Exchanges()
    let (anna, bert) = (try exchanges.add(.anna, 1).listen(at: 7), try exchanges.add(.bert, 2))
    bert.stays = false
    for round in 1...3 {
      bert.holder.write(["b\(round)"], to: .bert)
      bert.dial(7)
      try exchanges.turn()
      #expect(anna.holder.texts(of: .bert).count == round)
      #expect(anna.board.count == 0)
      #expect(bert.board.count == 0)
    }
    for side in [anna, bert] {
      #expect(side.ends == [nil, nil, nil])
      #expect(side.settled.count == 3)
    }
    bert.dial(9)
    #expect(bert.missed == [.network(.refused("here:9"))])
  }

  @Test func `Sync server: an idle session stays open until the line is cut`()
    throws
  {
    var exchanges = Exchanges()
    let (anna, bert) = (try exchanges.add(.anna, 1).listen(at: 7), try exchanges.add(.bert, 2))
    bert.dial(7)
    try exchanges.turn()
    try exchanges.pass(seconds: 3_600, steps: 360)
    #expect(anna.ends + bert.ends == [])
    #expect(anna.board.count == 1)
    #expect(bert.board.count == 1)
    exchanges.simulated.network.cutLines()
    try exchanges.turn()
    #expect(anna.board.count == 0)
    #expect(bert.board.count == 0)
    #expect(anna.ends.count == 1)
  }

  @Test func `Sync server: a peer that vanishes times out`() throws {
    var exchanges = Exchanges()
    let (anna, bert) = (try exchanges.add(.anna, 1).listen(at: 7), try exchanges.add(.bert, 2))
    bert.dial(7)
    try exchanges.turn()
    #expect(anna.board.count == 1)
    for _ in 0..<100 {
      exchanges.simulated.timekeeper.advance(milliseconds: 10_000)
      try anna.board.turn(patienceMilliseconds: 0)
      try anna.board.turn(patienceMilliseconds: 0)
    }
    #expect(anna.board.count == 0)
    #expect(anna.ends == [.network(.timedOut)])
  }

  @Test func `Sync server: hundreds of silent strangers do not displace a known peer`() throws {
    var exchanges = Exchanges()
    let (anna, bert) = (try exchanges.add(.anna, 1).listen(at: 7), try exchanges.add(.bert, 2))
    anna.holder.write(["a1"], to: .anna)
    var strangers: [any Line] = []
    for number in 0..<500 {
      // Some strangers begin a handshake, and continue it one byte at a time.
      strangers.append(
        try exchanges.stranger(7, saying: number % 3 == 0 ? [] : [22, 3, 1, 1]))
      if number == 250 { bert.dial(7) }
    }
    try exchanges.turn(40)
    #expect(bert.holder.texts(of: .anna) == ["a1"])
    #expect(anna.board.count <= Limit.unknownSessions + 1)
    #expect(anna.ends.count { $0 == .unwelcome(.busy) } == 500 - (anna.board.count - 1))
    for second in 1...11 {
      for stranger in strangers where second < 9 {
        // Most strangers were disconnected long ago.
        try? stranger.send([0], patienceMilliseconds: 0)
      }
      try exchanges.pass(seconds: 1, steps: 1)
    }
    #expect(anna.board.count == 1)
    anna.write("a2")
    try exchanges.turn()
    #expect(bert.holder.texts(of: .anna) == ["a1", "a2"])
  }

  @Test func `Sync server: a device over its memory quota is refused, but others are served`()
    throws
  {
    var exchanges = Exchanges()
    let anna = try exchanges.add(.anna, 1).listen(at: 7)
    let (bert, cleo) = (try exchanges.add(.bert, 2), try exchanges.add(.cleo, 3))
    let key = bert.key
    let isTooMuch = anna.board.calls.memoryQuota.weigh(.max, of: key, bytes: Limit.deviceBytes + 1)
    #expect(isTooMuch)
    bert.holder.write(["b1"], to: .bert)
    cleo.holder.write(["c1"], to: .cleo)
    bert.dial(7)
    cleo.dial(7)
    try exchanges.turn()
    #expect(anna.board.count == 1)
    #expect(anna.holder.texts(of: .cleo) == ["c1"])
    #expect(anna.ends == [.unwelcome(.busy)])
    anna.board.calls.memoryQuota.take(.max)
    bert.dial(7)
    try exchanges.turn()
    #expect(anna.holder.texts(of: .bert) == ["b1"])
  }

  @Test func `Sync server: completed handshakes are read before new callers displace them`() throws
  {
    var exchanges = Exchanges()
    let (anna, bert) = (try exchanges.add(.anna, 1).listen(at: 7), try exchanges.add(.bert, 2))
    anna.holder.write(["a1"], to: .anna)
    var others: [Exchange] = []
    for number in 0..<UInt8(Limit.sessionsOfAddress) {
      others.append(try exchanges.add(.id(number + 100), number + 3))
    }
    // Bert receives the answer to its hello, and sends the last message of the handshake.
    bert.dial(7)
    try anna.board.turn(patienceMilliseconds: 0)
    try bert.board.turn(patienceMilliseconds: 0)
    // As many other callers follow as are allowed, and each is answered before the next turn.
    for other in others { other.dial(7) }
    try exchanges.turn()
    #expect(anna.ends == [])
    others.append(bert)
    for side in others { #expect(side.holder.texts(of: .anna) == ["a1"]) }
  }

  @Test func `Sync server: a peer that stops reading times out without delaying others`() throws {
    var exchanges = Exchanges(room: 5_000)
    let (anna, bert) = (try exchanges.add(.anna, 1).listen(at: 7), try exchanges.add(.bert, 2))
    let slow = try exchanges.add(.cleo, 3)
    anna.holder.write((0..<400).map { "\($0) " + String(repeating: "x", count: 240) }, to: .anna)
    slow.dial(7)
    // The peer completes the handshake, sends its hello, and then reads no more.
    for _ in 0..<4 {
      try slow.board.turn(patienceMilliseconds: 0)
      try anna.board.turn(patienceMilliseconds: 0)
    }
    bert.dial(7)
    for _ in 0..<200 {
      try bert.board.turn(patienceMilliseconds: 0)
      try anna.board.turn(patienceMilliseconds: 0)
    }
    #expect(bert.holder.texts(of: .anna).count == 400)
    #expect(slow.holder.texts(of: .anna).count < 400)
    #expect(anna.board.count == 2)
    exchanges.simulated.timekeeper.advance(milliseconds: 31_000)
    for _ in 0..<3 {
      try anna.board.turn(patienceMilliseconds: 0)
      exchanges.simulated.timekeeper.advance(milliseconds: 1_000)
    }
    #expect(anna.ends == [.network(.timedOut)])
    #expect(anna.board.count == 1)
    anna.write("last")
    try exchanges.turn()
    #expect(bert.holder.texts(of: .anna).last == "last")
  }

  @Test func `Sync server: long logs pass both ways over lines with small buffers`() throws {
    var exchanges = Exchanges(room: 1_000)
    let (anna, bert) = (try exchanges.add(.anna, 1).listen(at: 7), try exchanges.add(.bert, 2))
    for side in [anna, bert] {
      let texts = (0..<100).map { "\($0) " + String(repeating: "x", count: 240) }
      side.holder.write(texts, to: side.holder.replica)
    }
    bert.dial(7)
    try exchanges.turn(1_000)
    #expect(anna.holder.frontier == bert.holder.frontier)
    #expect(anna.holder.texts(of: .bert).count == 100)
  }

  @Test func `Sync server: callers that send garbage are dropped, but others are served`() throws {
    var exchanges = Exchanges()
    let (anna, bert) = (try exchanges.add(.anna, 1).listen(at: 7), try exchanges.add(.bert, 2))
    bert.dial(7)
    try exchanges.turn()
    var dice = Dice(seed: 3)
    for round in 0..<50 {
      let rubbish = (0..<400).map { _ in UInt8(truncatingIfNeeded: dice.next()) }
      let line = try exchanges.stranger(7, saying: round % 2 == 0 ? rubbish : [22] + rubbish)
      try exchanges.turn(2)
      if round % 5 == 0 { line.close() }
    }
    try exchanges.pass(seconds: 12, steps: 6)
    #expect(anna.ends.count == 50)
    #expect(anna.board.count == 1)
    bert.write("still here")
    try exchanges.turn()
    #expect(anna.holder.texts(of: .bert) == ["still here"])
  }

  @Test func `Sync server: a caller over the limit gets a reason, and an unknown caller an alert`()
    throws
  {
    var exchanges = Exchanges()
    let anna = try exchanges.add(.anna, 1, mostSessions: 2).listen(at: 7)
    let others = try [UniqueID.bert, .cleo, .id(9)].enumerated().map { place, replica in
      try exchanges.add(replica, UInt8(2 + place))
    }
    for other in others {
      other.dial(7)
      try exchanges.turn()
    }
    #expect(others[0].ends == [])
    #expect(others[1].ends == [])
    #expect(others[2].ends == [.refused(Refusal(.busy, "I am connected to too many others"))])
    #expect(anna.ends == [.unwelcome(.busy)])
    try exchanges.pass(seconds: 2, steps: 2)
    #expect(anna.board.count == 2)
    let key = others[2].key
    anna.admits = { $0 != key }
    others[2].dial(7)
    try exchanges.turn()
    #expect(others[2].ends.last == .tls(.refused(alert: 48)))
    #expect(anna.ends.last == .tls(.unknownKey(key)))
  }

  @Test func `Sync server: a stop closes every session and pending connection`() throws {
    var exchanges = Exchanges()
    let (anna, bert) = (try exchanges.add(.anna, 1).listen(at: 7), try exchanges.add(.bert, 2))
    let stranger = try exchanges.stranger(7)
    bert.dial(7)
    try exchanges.turn()
    anna.board.stop()
    #expect(anna.board.count == 0)
    try exchanges.turn()
    #expect(bert.ends == [nil])
    #expect(try stranger.receive(upTo: 1, patienceMilliseconds: 0) == [])
  }

  @Test func `Sync server: a folder watch triggers a check for commits only after a change`() throws
  {
    var exchanges = Exchanges()
    let anna = try exchanges.add(.anna, 1)
    let (disk, home) = (exchanges.machine.disk, Path("/home"))
    try disk.makeDirectory(home)
    let watch = try disk.watch(home)
    try anna.board.attend(to: watch)
    try exchanges.turn()
    #expect(anna.glances == 0)
    try disk.makeDirectory(home / "a")
    try anna.board.turn(patienceMilliseconds: 0)
    #expect(anna.glances == 1)
  }
}

struct WaitingTests {
  @Test func `Timer queue: timers fire in the order of their times`() {
    for seed in 0..<20 {
      var dice = Dice(seed: UInt64(seed))
      var timers = TimerQueue()
      let times = (0..<100).map { _ in Int64(dice.next() % 50) }
      for (token, time) in times.enumerated() { timers.set(UInt64(token), at: time) }
      #expect(timers.next == times.min())
      var told: [UInt64] = []
      for now in Int64(0)..<50 {
        let before = told.count
        while let token = timers.takeDue(at: now) { told.append(token) }
        #expect(told[before...].allSatisfy { times[Int($0)] == now })
      }
      #expect(told.sorted() == Array(0..<100))
      #expect(timers.next == nil)
    }
  }

  @Test func `Pending connections: the longest silent caller of the busiest host is removed`() {
    var door = PendingConnections()
    for number in UInt64(0)..<8 { #expect(door.enter(number, from: "a") == nil) }
    door.noteSpoken(0)
    #expect(door.enter(8, from: "a") == 1)
    door.leave(2)
    #expect(door.enter(9, from: "a") == nil)
    // Other callers are accepted up to the limit.
    for number in UInt64(100)..<156 { #expect(door.enter(number, from: "\(number)") == nil) }
    #expect(door.count == Limit.unknownSessions)
    #expect(door.enter(200, from: "z") == 3)
    for number in UInt64(3)...200 { door.noteSpoken(number) }
    #expect(door.enter(201, from: "y") == 0)
    #expect(door.count == Limit.unknownSessions)
  }

  @Test func `Backoff: waits grow to a minute and differ between devices`() {
    for (number, most) in [0: 1_000, 1: 2_000, 3: 8_000, 6: 60_000, 200: 60_000].sorted(by: <) {
      var waits: Set<Int64> = []
      for seed in 0..<40 {
        let dice = Seeded(seed: UInt64(seed))
        var backoff = Backoff()
        for _ in 0..<number { _ = backoff.next(dice) }
        waits.insert(backoff.next(dice))
      }
      #expect(waits.allSatisfy { (Int64(most) / 2...Int64(most)).contains($0) })
      #expect(waits.count > 20)
    }
    var backoff = Backoff()
    for _ in 0..<9 { _ = backoff.next(Seeded(seed: 1)) }
    backoff.reset()
    #expect(backoff.next(Seeded(seed: 1)) <= 1_000)
  }
}
