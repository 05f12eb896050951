import Journaling
import Testing

/// The tables of recovery in `protocol.md`, checked for every possible situation.
@Suite struct RecoveryTableTests {
  /// The rows of section 7.1 whose first cells are the names of cases.
  private static func rows<Case: CaseIterable & RawRepresentable<String>>(
    of cases: Case.Type
  ) throws -> [[String]] {
    let names = cases.allCases.map(\.rawValue)
    let rows = try ProtocolText.tableRows("### 7.1 Recovery").filter { names.contains($0[0]) }
    #expect(rows.map { $0[0] } == names)
    return rows
  }

  /// The only row whose conditions match a situation.
  ///
  /// A dash matches every condition.
  private static func row(_ rows: [[String]], for situation: [String]) throws -> [String] {
    let fitting = rows.filter { row in
      zip(row.dropFirst(), situation).allSatisfy { $0 == "–" || $0 == $1 }
    }
    #expect(fitting.count == 1, "\(situation) fits \(fitting.map { $0[0] })")
    return try #require(fitting.first)
  }

  private static let answers = [false, true]

  private static func word(_ answer: Bool) -> String { answer ? "yes" : "no" }

  @Test func `Frames of a file: the program decides each case as the table does`() throws {
    let rows = try Self.rows(of: FrameCase.self)
    for isOwn in Self.answers {
      for isNamed in Self.answers {
        for beginning in FrameCase.Beginning.allCases {
          for followsPassed in Self.answers {
            for isContradicted in Self.answers {
              let found = FrameCase(
                isOwn: isOwn, isNamed: isNamed, beginning, followsPassed: followsPassed
              ) {
                isContradicted
              }
              let row = try Self.row(
                rows,
                for: [
                  Self.word(isOwn), Self.word(isNamed), beginning.rawValue,
                  Self.word(followsPassed), Self.word(isContradicted),
                ])
              #expect(found.rawValue == row[0])
              #expect((found.counts ? "counts" : "is skipped") == row[6])
            }
          }
        }
      }
    }
  }

  @Test func `The end of a tail: the program decides each case as the table does`() throws {
    let rows = try Self.rows(of: TailCase.self)
    for hasSkippedBytes in Self.answers {
      for rest in TailCase.Rest.allCases {
        let found = TailCase(hasSkippedBytes: hasSkippedBytes, rest)
        let row = try Self.row(rows, for: [Self.word(hasSkippedBytes), rest.rawValue])
        #expect(found.rawValue == row[0])
        let others = found == .sound ? "go on" : "are cut off"
        let own = found == .sound ? "goes on" : "is cut off"
        #expect(row[3] == (found.isDamage ? "is left, then cut off" : own))
        #expect(row[4] == others)
      }
    }
  }

  @Test func `Filling a hole: the program decides each case as the table does`() throws {
    let rows = try Self.rows(of: HoleCase.self)
    for joint in HoleCase.Joint.allCases {
      for isProved in Self.answers {
        for isSealable in Self.answers {
          for isLastFile in Self.answers {
            for isWhole in Self.answers {
              let found = HoleCase(
                joint, isProved: isProved, isSealable: isSealable, isLastFile: isLastFile,
                isWhole: isWhole)
              let row = try Self.row(
                rows,
                for: [
                  joint.rawValue, Self.word(isProved), Self.word(isSealable),
                  Self.word(isLastFile), Self.word(isWhole),
                ])
              #expect(found.rawValue == row[0])
              #expect(found.action.rawValue == row[6])
            }
          }
        }
      }
    }
  }
}
