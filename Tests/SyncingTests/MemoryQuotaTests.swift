import Bytes
import Crypto
import Syncing
import TestDice
import Testing

/// The memory that one device can use over all its sessions.
struct ScalesTests {
  private static let keys = [UInt8(1), 2].map { seed in
    // Any thirty-two bytes are a valid seed.
    try? SigningKey(seed: [UInt8](repeating: seed, count: 32)).publicKey
  }

  @Test func `Memory quota: calls of one device share a quota, separate from other devices`() {
    var memoryQuota = MemoryQuota(limit: 100)
    var answers = [
      memoryQuota.weigh(1, of: Self.keys[0], bytes: 60),
      memoryQuota.weigh(2, of: Self.keys[0], bytes: 40),
      memoryQuota.weigh(3, of: Self.keys[1], bytes: 100), memoryQuota.weigh(4, of: nil, bytes: 100),
    ]
    #expect(answers == [false, false, false, false])
    answers = [
      memoryQuota.weigh(2, of: Self.keys[0], bytes: 41),
      memoryQuota.weigh(1, of: Self.keys[0], bytes: 0),
      memoryQuota.weigh(2, of: Self.keys[0], bytes: 99),
    ]
    #expect(answers == [true, false, false])
    memoryQuota.take(2)
    // Once the owner of a call is known, the call counts only for this device.
    answers = [
      memoryQuota.weigh(5, of: Self.keys[0], bytes: 100),
      memoryQuota.weigh(4, of: Self.keys[1], bytes: 1),
      memoryQuota.weigh(6, of: nil, bytes: 100),
    ]
    #expect(answers == [false, true, false])
  }

  @Test func `Memory quota: the weight is the sum of the loads of all calls`() {
    var dice = Dice(seed: 11)
    var memoryQuota = MemoryQuota(limit: 500)
    var loads: [UInt64: (owner: PublicKey?, bytes: Int)] = [:]
    for _ in 0..<3_000 {
      let call = UInt64(dice.number(20))
      if dice.chance(20) {
        loads[call] = nil
        memoryQuota.take(call)
        continue
      }
      let (owner, bytes) = (dice.pick(Self.keys + [nil]) ?? nil, dice.number(80))
      loads[call] = (owner, bytes)
      let sum = loads.values.filter { $0.owner == owner }.reduce(0) { $0 + $1.bytes }
      let isTooMuch = memoryQuota.weigh(call, of: owner, bytes: bytes)
      #expect(isTooMuch == (bytes > 0 && sum > 500))
    }
  }
}
