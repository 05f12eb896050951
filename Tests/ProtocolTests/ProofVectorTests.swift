import Bytes
import Proving
import Testing

/// The vectors of `docs/proof-vectors.md`.
struct ProofVectorTests {
  private static func vectors(_ words: String) throws -> [TestVector] {
    try ProtocolText.vectors(of: "docs/proof-vectors.md").filter { $0.name.hasPrefix(words) }
  }

  @Test func `Proof: each vector is read, and shows what it states`() throws {
    let vectors = try Self.vectors("proof: ")
    #expect(vectors.count == 9)
    for vector in vectors {
      let bytes = try vector.bytes("proof")
      #expect(try Proof.decode(bytes).encode() == bytes, "\(vector.name)")
      let report = try ProofCheck.check(bytes)
      #expect(report.book == (try vector.id("book")), "\(vector.name)")
      #expect(report.record == (try vector.id("record")), "\(vector.name)")
      let shown = report.events.map { "\($0.log):\($0.sequence)" }.joined(separator: " ")
      #expect(shown == (try vector.text("shown")), "\(vector.name)")
      let hidden = report.logs.reduce(0) { $0 + $1.hidden }
      #expect(Int64(hidden) == (try vector.number("hidden")), "\(vector.name)")
      let erased = report.erased.map(\.hex).joined(separator: " ")
      #expect((erased.isEmpty ? "none" : erased) == (try vector.text("erased")), "\(vector.name)")
    }
  }

  @Test func `Proof: each forged vector is refused with its error`() throws {
    let vectors = try Self.vectors("bad proof: ")
    #expect(vectors.count == 69)
    for vector in vectors {
      let bytes = try vector.bytes("proof")
      do throws(ProofFault) {
        _ = try ProofCheck.check(bytes)
        Issue.record("\(vector.name) is read")
      } catch {
        #expect(error.spelling == (try vector.text("error")), "\(vector.name)")
      }
    }
  }

  @Test func `Proof: a file with a changed bit is refused`() throws {
    for vector in try Self.vectors("proof: ") {
      let bytes = try vector.bytes("proof")
      for place in bytes.indices {
        for bit in 0..<8 {
          var changed = bytes
          changed[place] ^= 1 << UInt8(bit)
          #expect(throws: ProofFault.self, "\(vector.name), bit \(bit) of byte \(place)") {
            try ProofCheck.check(changed)
          }
        }
      }
    }
  }

  @Test func `Proof: a file cut at any place is refused`() throws {
    let bytes = try #require(try Self.vectors("proof: ").first).bytes("proof")
    for count in bytes.indices {
      #expect(throws: ProofFault.self) { try ProofCheck.check(Array(bytes[..<count])) }
    }
  }

  @Test func `Proof: the devices of the vectors have their names, sponsors and revocations`() throws
  {
    let vector = try #require(try Self.vectors("proof: a revoked device").first)
    let report = try ProofCheck.check(vector.bytes("proof"))
    #expect(report.logs.map(\.name) == ["laptop", "phone"])
    #expect(report.logs.map(\.isFounder) == [true, false])
    #expect(report.logs.map(\.admittedBy) == [nil, 0])
    #expect(report.logs[0].revocations.isEmpty)
    #expect(report.logs[1].revocations.map(\.sequence) == [10])
    #expect(report.logs[1].revocations.map(\.kept) == [3])
    #expect(report.events.filter(\.isCut).isEmpty)
    #expect(report.logs.map(\.isUnbroken) == [false, true])
    #expect(report.logs.map(\.absent) == [5, 0])
  }

  @Test func `Proof: each version of a forked log is marked as one`() throws {
    let vector = try #require(try Self.vectors("proof: a forked log").first)
    let report = try ProofCheck.check(vector.bytes("proof"))
    #expect(report.logs.map(\.isForked) == [true, true])
  }
}
