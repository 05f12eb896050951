import Testing

struct RatchetTests {
  static let ratchet = Ratchet(
    limit: 8, unit: "files", advice: "Make types of its parts.", exceptions: ["Book": 12])

  static func complaints(_ figures: [String: Int]) -> [String] {
    ratchet.complaints(
      about: figures.map { Finding(subject: $0, figure: $1, places: ["A.swift", "B.swift"]) })
  }

  @Test func `Ratchet: figures at the limit and at the exception are accepted`() {
    #expect(Self.complaints(["Book": 12, "Leaf": 8, "Verb": 1]) == [])
  }

  @Test func `Ratchet: a figure over the limit is reported with its places`() {
    #expect(
      Self.complaints(["Book": 12, "Leaf": 9]) == [
        "Leaf: 9 files, at most 8. Make types of its parts.\n  A.swift\n  B.swift"
      ])
  }

  @Test func `Ratchet: a figure over its exception is reported with its places`() {
    #expect(
      Self.complaints(["Book": 13]) == [
        "Book: 13 files, at most 12 by its exception. Make types of its parts."
          + "\n  A.swift\n  B.swift"
      ])
  }

  @Test func `Ratchet: a figure below its exception demands a lower exception`() {
    #expect(
      Self.complaints(["Book": 11]) == ["Book: 11 files. Lower its exception from 12 to 11."])
    #expect(Self.complaints(["Book": 9]) == ["Book: 9 files. Lower its exception from 12 to 9."])
  }

  @Test func `Ratchet: a figure within the limit demands the exception's removal`() {
    #expect(
      Self.complaints(["Book": 8]) == ["Book: 8 files, and 8 are allowed. Remove its exception."])
  }

  @Test func `Ratchet: an exception without a subject demands its removal`() {
    #expect(
      Self.complaints(["Leaf": 1]) == ["Book: 0 files, and 8 are allowed. Remove its exception."])
  }

  @Test func `Ratchet: with slack, a figure may fall that far below its exception`() {
    let ratchet = Ratchet(
      limit: 3, unit: "files", advice: "Split it.", exceptions: ["A.B": 20], slack: 5)
    func complaints(_ figure: Int) -> [String] {
      ratchet.complaints(about: [Finding(subject: "A.B", figure: figure)])
    }
    #expect(complaints(15) == [] && complaints(20) == [])
    #expect(complaints(14) == ["A.B: 14 files. Lower its exception from 20 to 14."])
    #expect(complaints(21) == ["A.B: 21 files, at most 20 by its exception. Split it."])
  }
}
