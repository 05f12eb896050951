import Crypto
import Journaling
import Platform
import SimulatedPlatform
import Testing

/// A signing key is requested only when there is something to sign.
@Suite struct SigningSourceTests {
  /// Keys that cannot be loaded.
  struct Unable: SigningSource {
    static let error = CryptoError.library(code: 7)
    func signingKey() throws(CryptoError) -> SigningKey { throw Self.error }
  }

  private static let large = (1...8).map { Bench.command($0, byteCount: 9_000) }

  @Test func `Signing: appending to a tail needs no key`() throws {
    let bench = try Bench()
    var journal = try bench.begun()
    let appended = try journal.append([Bench.command(1)], to: bench.log, keys: Unable())
    #expect(appended.map(\.sequence) == [2])
    let found = try bench.journal().contents(of: bench.log)
    #expect(found.events.map(\.hash).last == appended.last?.hash)
    #expect(found.damage == [])
  }

  @Test func `Signing: a batch that cannot be signed is not written`() throws {
    let bench = try Bench()
    var journal = try bench.begun()
    // A tail would have to be sealed first.
    try journal.seal(bench.log, keys: bench.keys)
    let before = bench.machine.disk.files
    #expect(throws: JournalError.signing(Unable.error)) {
      try journal.append(Self.large, to: bench.log, keys: Unable())
    }
    #expect(bench.machine.disk.files == before)
    let appended = try journal.append(Self.large, to: bench.log, keys: bench.keys)
    #expect(appended.map(\.sequence) == Array(2...9))
    #expect(try bench.journal().contents(of: bench.log).events.count == 9)
  }

  @Test func `Signing: a tail that cannot be sealed grows until a key is available`() throws {
    let bench = try Bench()
    var journal = try bench.begun()
    // Each command alone is too small to seal the tail, but both together are large enough.
    for number in [UInt64(1), 2] {
      let command = Bench.command(number, events: 5, byteCount: 9_000)
      _ = try journal.append([command], to: bench.log, keys: Unable())
    }
    #expect(try bench.journal().contents(of: bench.log).events.count == 11)
    _ = try journal.append([Bench.command(3)], to: bench.log, keys: bench.keys)
    let sealed = bench.machine.disk.files.keys.filter { $0.parent == bench.logFolder }
    #expect(
      sealed.map(\.name).sorted() == ["000000000001-000000000011.gz", "000000000012.gz"])
    let found = try bench.journal().contents(of: bench.log)
    #expect(found.events.map(\.sequence) == Array(1...12))
    #expect(found.damage == [])
  }
}
