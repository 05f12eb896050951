import Bytes
import SimulatedPlatform
import Testing

@testable import Syncing

/// Calls of keys that take part in a book only through another device.
struct DependentCallTests {
  @Test func `Sync server: keys that depend on a device share its memory quota`() throws {
    var exchanges = Exchanges()
    let anna = try exchanges.add(.anna, 1).listen(at: 7)
    let (bert, cleo) = (try exchanges.add(.bert, 2), try exchanges.add(.cleo, 3))
    anna.payers[cleo.key] = bert.key
    let isTooMuch = anna.board.calls.memoryQuota.weigh(
      .max, of: bert.key, bytes: Limit.deviceBytes + 1)
    #expect(isTooMuch)
    cleo.holder.write(["c1"], to: .cleo)
    cleo.dial(7)
    try exchanges.turn()
    #expect(anna.ends == [.unwelcome(.busy)])
    anna.board.calls.memoryQuota.take(.max)
    cleo.dial(7)
    try exchanges.turn()
    #expect(anna.holder.texts(of: .cleo) == ["c1"])
  }
}
