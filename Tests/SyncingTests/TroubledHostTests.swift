import Crypto
import Platform
import Syncing
import Testing

/// A side that its own book keeps from talking: the others hear of it, and all goes on once that is over.
struct TroubledHostTests {
  private static let trouble = SyncError.disk(DiskError(.read, Path("/book"), .io))

  private var exchanges = Exchanges()
  private let anna: Exchange
  private let bert: Exchange

  init() throws {
    (anna, bert) = (try exchanges.add(.anna, 1).listen(at: 7), try exchanges.add(.bert, 2))
    anna.holder.write(["a1"], to: .anna)
  }

  private func expectNobody() {
    #expect([anna.board.count, bert.board.count] == [0, 0])
    #expect(bert.holder.texts(of: .anna) == [])
  }

  private mutating func expectTalk() throws {
    bert.dial(7)
    try exchanges.turn()
    #expect(bert.holder.texts(of: .anna) == ["a1"])
  }

  @Test mutating func `who cannot show who it is calls nobody`() throws {
    bert.trouble.atTheDoor = Self.trouble
    bert.dial(7)
    try exchanges.turn()
    #expect(bert.missed == [Self.trouble])
    expectNobody()
    bert.trouble.atTheDoor = nil
    try expectTalk()
  }

  @Test mutating func `who cannot show who it is takes no caller, and takes the next one`() throws {
    anna.trouble.atTheDoor = Self.trouble
    bert.dial(7)
    try exchanges.turn()
    #expect(anna.missed == [Self.trouble])
    #expect(bert.ends == [.tls(.cut)])
    expectNobody()
    anna.trouble.atTheDoor = nil
    try expectTalk()
  }

  @Test mutating func `who cannot begin to talk ends that call alone`() throws {
    anna.trouble.inTalk = Self.trouble
    bert.dial(7)
    try exchanges.turn()
    #expect(anna.ends == [Self.trouble])
    #expect(bert.ends.count == 1)
    expectNobody()
    anna.trouble.inTalk = nil
    try expectTalk()
  }
}
