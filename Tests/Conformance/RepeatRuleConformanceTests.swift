import Domain
import Foundation
import Testing

/// Compares the dates of repeat rules with those of python-dateutil.
@Suite struct RepeatRuleConformanceTests {
  static let python = "/usr/bin/python3"
  static let script = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "rules.py").path()
  static let hasDateutil = (try? ConformanceTests.run([python, "-c", "import dateutil"])) != nil
  static let count = ProcessInfo.processInfo.environment["DAYBOOK_RULES"] ?? "300"

  @Test(.enabled(if: hasDateutil, "python3-dateutil is not installed"))
  func `Conformance: random repeat rules have the dates that python-dateutil gives`() throws {
    let output = try ConformanceTests.run([Self.python, "-B", Self.script, Self.count, "7"])
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
    #expect(String(lines.count) == Self.count)
    for line in lines {
      let words = line.split(separator: " ").map(String.init)
      let rule = try RepeatRule(canonical: words[0])
      let anchor = try CivilDate.parse(words[1])
      let dates = try #require(RepeatDates(rule, anchor: anchor))
      let expected = Array(words[3...])
      let found = Array(dates.prefix(expected.count + 1))
      #expect(found.prefix(expected.count).map(\.iso) == expected, "\(words[0]) from \(words[1])")
      let following = found.dropFirst(expected.count).first
      if words[2] == "all" {
        #expect(following == nil, "\(words[0]) from \(words[1])")
      } else if expected.count < 40, let following {
        // The script stops after 20,000 days.
        #expect(
          try #require(following.days(since: anchor)) > 20_000, "\(words[0]) from \(words[1])")
      }
      for (place, text) in expected.enumerated() where place % 7 == 3 {
        let date = try CivilDate.parse(text)
        #expect(dates.first(onOrAfter: date) == date)
        #expect(dates.count(through: date) == place + 1)
      }
    }
  }
}
