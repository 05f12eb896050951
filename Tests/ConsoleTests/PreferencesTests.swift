import Console
import Domain
import Phrasing
import Platform
import Testing

/// The settings of the user, in an optional file.
struct PreferencesTests {
  private static let path = Path("/home/ada/.config/daybook/config")

  private func stage(_ text: String, at path: Path = path) throws -> Stage {
    let stage = Stage()
    try stage.disk.makeDirectories(path.parent)
    try stage.disk.replace(path, with: Array(text.utf8))
    return stage
  }

  @Test func `Settings: leap-rule applies to all birthdays on 29 February`() throws {
    let stage = try stage("# mine\n\nleap-rule = march-1  # as in the passport\n")
    let added = stage.answer("add", "birthday", "Larry", "1952-02-29")
    #expect(added.hasSuffix(" Larry, 29 February (turns 75 in 3 months).\n"))
    _ = stage.answer("add", "birthday", "Ann", "--03-01")
    _ = stage.answer("add", "birthday", "Bo", "--02-29")
    _ = stage.answer("edit", "Bo", "--leap-rule", "february-28")
    let lines = stage.answer("upcoming", "--days", "120").split(separator: "\n").map { line in
      line.split(separator: " ").dropFirst().joined(separator: " ")
    }
    #expect(
      lines == [
        "Sun 2027-02-28 Bo in 3 months born on 29 February", "Mon 2027-03-01 Ann in 3 months",
        "Mon 2027-03-01 Larry turns 75 in 3 months born on 29 February",
      ])
    #expect(
      stage.answer("upcoming", "--days", "120", "--json").contains(#""observedRule": "march-1""#))
    let listed = stage.answer("list", "birthdays", "--sort", "next").split(separator: "\n")
    #expect(listed.first?.contains("Bo") == true)
    #expect(
      stage.answer("export", "--format", "ics").contains("RRULE:FREQ=YEARLY;BYYEARDAY=60\r\n"))
  }

  @Test func `Settings: an invalid line is reported with its number, and the rest applies`()
    throws
  {
    let stage = try stage("leap-rul = march-1\nremind.lead = soon\nnothing\nleap-rule=mar1\n")
    let outcome = stage.run("add", "birthday", "Larry", "1952-02-29")
    #expect(stage.answer("upcoming", "--days", "120").contains("2027-03-01"))
    let beginning = "daybook: \(Self.path.string), line"
    #expect(
      outcome.error.hasSuffix(
        """
        \(beginning) 1 is ignored: no setting is called 'leap-rul'. Did you mean 'leap-rule'?
        \(beginning) 2 is ignored: remind.lead cannot be 'soon'. \
        Use days or weeks (at most 366 days), separated by commas, such as 7,1,0 or 2w,0, or the word 'none'.
        \(beginning) 3 is ignored: 'nothing' is not a setting. Write NAME = VALUE.

        """), "\(outcome.error)")
  }

  @Test func `Settings: a duplicate setting is reported by doctor`() throws {
    let stage = try stage("leap-rule = march-1\nleap-rule = february-28\n")
    _ = stage.answer("add", "todo", "Sweep")
    #expect(
      stage.run("doctor").error
        == "daybook: \(Self.path.string), line 1 is ignored: line 2 sets leap-rule again.\n")
  }

  @Test func `Settings: XDG_CONFIG_HOME determines the path of the file`() throws {
    let stage = try stage("leap-rule = march-1\n", at: Path("/etc/ada/daybook/config"))
    let environment = ["XDG_CONFIG_HOME": "/etc/ada"]
    _ = stage.answer("add", "birthday", "Larry", "1952-02-29")
    let words = ["upcoming", "--days", "120"]
    #expect(stage.run(words).output.contains("2027-02-28"))
    #expect(stage.run(words, environment: environment).output.contains("2027-03-01"))
    #expect(
      stage.run(["where"], environment: environment).output.contains("/etc/ada/daybook/config\n"))
  }

  @Test func `Settings: reminder times are given in days and weeks`() throws {
    #expect(LeadTimes(["7", "1", "0"]) == LeadTimes.usual)
    #expect(LeadTimes(["0", " 2W", "1d", "1"])?.days == [14, 1, 0])
    #expect(LeadTimes(["none"])?.days == [])
    for wrong in [[], [""], ["-1"], ["d"], ["7", "soon"], ["367"], ["53w"], ["none", "7"]] {
      #expect(LeadTimes(wrong) == nil, "\(wrong)")
    }
    let times = try #require(LeadTimes(["7", "1"]))
    #expect((0...8).map(times.begun) == [1, 1, 7, 7, 7, 7, 7, 7, nil])
  }
}
