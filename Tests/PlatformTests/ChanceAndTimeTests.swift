import Foundation
import Platform
import PosixPlatform
import SimulatedPlatform
import Testing

@Suite struct `Chance and time` {
  @Test func `Seeded dice: they produce the sequence of SplitMix64`() {
    let dice = Seeded(seed: 1_234_567)
    let numbers = (0..<3).map { _ in dice.number() }
    #expect(
      numbers == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      ])
  }

  @Test func `Seeded dice: the same seed produces the same bytes`() {
    #expect(Seeded(seed: 5).bytes(19) == Seeded(seed: 5).bytes(19))
    #expect(Seeded(seed: 5).bytes(19) != Seeded(seed: 6).bytes(19))
    #expect(Seeded(seed: 5).bytes(19).count == 19)
    let first: UInt64 = 6_457_827_717_110_365_317
    #expect(Seeded(seed: 1_234_567).bytes(1) == [UInt8(first & 0xff)])
  }

  @Test func `System dice: each draw is different and fully random`() {
    let dice = Machine.system.dice
    #expect(dice.bytes(0) == [])
    #expect(dice.bytes(1000).count == 1000)
    #expect(dice.bytes(32) != dice.bytes(32))
    #expect(dice.number() != dice.number())
    // Every part of a long draw is filled.
    #expect(Set(dice.bytes(1000).suffix(300)).count > 100)
  }

  @Test func `Simulated time: it passes only when a test advances it`() {
    let machine = SimulatedMachine(seed: 1)
    let timekeeper = machine.timekeeper
    let start = timekeeper.now()
    timekeeper.advance(milliseconds: 1500)
    #expect(timekeeper.now().milliseconds == start.milliseconds + 1500)
    #expect(timekeeper.monotonicMilliseconds() == 1500)
    timekeeper.set(Moment(milliseconds: -1))
    #expect(timekeeper.now() == Moment(milliseconds: -1))
    #expect(timekeeper.monotonicMilliseconds() == 1500)
    timekeeper.setLocalOffset(seconds: -3600)
    #expect(timekeeper.localOffsetSeconds(at: start) == -3600)
  }

  @Test func `System clock: it agrees with the calendar and never runs backwards`() {
    let timekeeper = Machine.system.timekeeper
    let before = Int64(Date().timeIntervalSince1970 * 1000) - 1
    let now = timekeeper.now().milliseconds
    #expect((before...(before + 60_000)).contains(now))
    let start = timekeeper.monotonicMilliseconds()
    #expect(timekeeper.monotonicMilliseconds() >= start)
  }

  @Test func `Local time: the offset follows TZ, even at its limits`() async {
    // The test runs in a separate process, because the time zone belongs to the whole process.
    await #expect(processExitsWith: .success) {
      let timekeeper = SystemTimekeeper()
      let winter = Moment(milliseconds: 1_704_067_200_000)
      let summer = Moment(milliseconds: 1_719_792_000_000)
      let justBeforeSummer = Moment(milliseconds: 1_711_846_799_999)
      let justAfter = Moment(milliseconds: 1_711_846_800_000)
      unsafe setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1)
      let moments = [winter, summer, justBeforeSummer, justAfter]
      let offsets = moments.map(timekeeper.localOffsetSeconds)
      precondition(offsets == [3600, 7200, 3600, 7200])
      unsafe setenv("TZ", "XXX+3:30", 1)
      precondition(timekeeper.localOffsetSeconds(at: winter) == -12600)
      precondition(timekeeper.localOffsetSeconds(at: Moment(milliseconds: -1)) == -12600)
      for time in [Int64.min, .min + 807, .max] {
        precondition(timekeeper.localOffsetSeconds(at: Moment(milliseconds: time)) == -12600)
      }
    }
  }
}
