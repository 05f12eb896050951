import Bytes
import Phrasing
import Platform
import SimulatedPlatform
import Testing

@testable import Console

/// Joining through a sealed folder, as a user sees it.
struct StoreJoinTests: SealedFolderSuite {
  let stage: Stage
  private static let tablet = ["-C", "tablet"]

  init() throws {
    stage = try Stage.pair()
    try stage.disk.makeDirectories(Self.cloud)
    seal()
  }

  /// Makes an invitation, and returns its text.
  private func invite(_ words: String...) throws -> String {
    let answer = stage.run(["invite", "--via", "cloud", "--json"] + words)
    #expect(answer.code == .done, "\(answer.error)")
    return try #require(try JSON(parsing: Array(answer.output.utf8))["invitation"]?.string)
  }

  @Test func `Store join: two devices that are never on at once come together`() throws {
    let invited = stage.run("invite", "--via", "cloud")
    let lines = invited.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0] == "On the other machine, within 24 hours, run 'daybook join' and enter this:")
    let text = String(lines[2].drop { $0 == " " })
    #expect(text.hasPrefix("daybookstore1:"))
    #expect(
      lines[4...].joined(separator: "\n")
        == """
        The invitation admits one device, once. Keep it private.
        This device does not have to stay on. After the other machine has asked to join, run 'daybook sync cloud' here, and then 'daybook sync' there.
        If /home/ada/cloud has another path on the other machine, add --folder DIR to 'daybook join'.

        """)
    let asked = stage.run(Self.tablet + ["join", text])
    // The device has not joined, so a script must not continue.
    #expect(asked.code == .network && asked.error == "")
    #expect(
      asked.output.hasPrefix(
        """
        Asked to join the book through /home/ada/cloud. This device has not joined yet.
        Next, run 'daybook sync' on the inviting device, and then 'daybook sync' on this one.
        The inviting device may ask its user to compare these words: 
        """))
    let status = stage.run(Self.tablet + ["status"])
    #expect(status.code == .refused)
    #expect(
      status.error.hasPrefix(
        "daybook: this device has asked to join a book through /home/ada/cloud, and has not joined it yet."
      ))
    #expect(stage.run(Self.tablet + ["add", "todo", "Early"]).code == .refused)
    #expect(
      stage.answer("status").contains(
        "an invitation through cloud is open until 2026-11-21 "))
    #expect(stage.answer("doctor").contains("an invitation through cloud is open until"))
    let waiting = stage.run(Self.tablet + ["sync"])
    #expect(waiting.code == .network && waiting.output == asked.output)
    let admitted = stage.run("sync", "cloud")
    #expect(admitted.code == .done)
    #expect(admitted.output.contains("Admitted laptop 3 ("))
    #expect(admitted.output.contains("). It joins at its next 'daybook sync'.\n"))
    #expect(!stage.answer("status").contains("invitation"))
    let joined = stage.run(Self.tablet + ["sync"])
    #expect(joined.code == .done, "\(joined.error)")
    #expect(joined.output.hasPrefix("Joined the book "))
    #expect(try titles("-C", "tablet") == ["Sweep"])
    _ = stage.run(Self.tablet + ["add", "todo", "Mop"])
    #expect(stage.run(Self.tablet + ["sync"]).code == .done)
    _ = stage.answer("sync", "cloud")
    #expect(try titles() == ["Mop", "Sweep"])
    func digest(_ words: [String]) throws -> String? {
      try JSON(parsing: Array(stage.run(words + ["status", "--json"]).output.utf8))["digest"]?
        .string
    }
    #expect(try digest([]) == digest(Self.tablet))
  }

  @Test func `Store join: on a terminal the inviter is asked, and --no-confirm admits at once`()
    throws
  {
    func sync(answering answer: String) -> Stage.Outcome {
      stage.run(
        ["sync", "cloud"],
        adjust: { environment in
          environment.streams.isInputTerminal = true
          environment.streams.readAnswer = { answer }
        })
    }
    _ = stage.run(Self.tablet + ["join", try invite()])
    let declined = sync(answering: "n")
    #expect(declined.error.contains("laptop asks to join through /home/ada/cloud"))
    #expect(declined.error.contains("Admit it? [y/N] "))
    #expect(declined.error.contains("was not admitted, because it was declined"))
    let told = stage.run(Self.tablet + ["sync"])
    #expect(told.code == .refused)
    #expect(told.error.contains("declined to admit this device, or cancelled the invitation"))
    _ = stage.run(Self.tablet + ["join", try invite()])
    #expect(sync(answering: "y").output.contains("Admitted laptop 3"))
    #expect(stage.run(Self.tablet + ["sync"]).code == .done)
    _ = stage.run("-C", "watch", "join", try invite("--no-confirm"))
    let quiet = sync(answering: "n")
    #expect(quiet.output.contains("Admitted laptop 4") && !quiet.error.contains("Admit it?"))
  }

  @Test func `Store join: a round of all peers asks as well`() throws {
    _ = stage.run(Self.tablet + ["join", try invite()])
    let round = stage.run(
      ["sync"],
      adjust: { environment in
        environment.streams.isInputTerminal = true
        environment.streams.readAnswer = { "y" }
      })
    #expect(round.code == .done)
    #expect(round.error.contains("Admit it? [y/N] ") && round.output.contains("Admitted laptop 3"))
  }

  @Test func `Store join: the folder may have another path, and a wrong place is reported`() throws
  {
    let text = try invite()
    try stage.disk.rename(Self.cloud, to: Path("/home/ada/elsewhere"))
    let missing = stage.run(Self.tablet + ["join", text])
    #expect(missing.code == .refused)
    #expect(
      missing.error.hasPrefix(
        "daybook: the sealed store of the invitation is not in /home/ada/cloud. "))
    #expect(!stage.machine.disk.files.keys.contains { $0.string.contains("/tablet/") })
    #expect(stage.run(Self.tablet + ["join", text, "--folder", "elsewhere"]).code == .network)
    try stage.disk.rename(Path("/home/ada/elsewhere"), to: Self.cloud)
    _ = stage.answer("sync", "cloud")
    try stage.disk.rename(Self.cloud, to: Path("/home/ada/elsewhere"))
    #expect(stage.run(Self.tablet + ["sync"]).code == .done)
    #expect(try titles("-C", "tablet") == ["Sweep"])
  }

  @Test func `Store join: a cancelled invitation is refused with the reason`() throws {
    let text = try invite()
    #expect(
      stage.answer("invite", "--cancel")
        == "Cancelled 1 invitation. The next sync with the store tells the device that asks to join.\n"
    )
    #expect(stage.answer("invite", "--cancel") == "No invitation through a store is open.\n")
    _ = stage.answer("sync", "cloud")
    let refused = stage.run(Self.tablet + ["join", text])
    #expect(refused.code == .refused && refused.error.contains("cancelled the invitation"))
  }

  @Test func `Store join: options that do not fit are refused`() throws {
    let text = try invite()
    try stage.disk.makeDirectories(Path("/home/ada/usb"))
    _ = stage.answer("peer", "add", "usb", "usb")
    #expect(stage.run("invite", "--via", "usb").error.contains("usb is not a sealed store"))
    #expect(stage.run("invite", "--via", "nobody").code == .refused)
    #expect(stage.run("invite", "--via", "cloud", "--address", "ssh://x").code == .usage)
    #expect(stage.run("invite", "--cancel", "--via", "cloud").code == .usage)
    #expect(stage.run("invite", "--no-confirm").code == .usage)
    #expect(stage.run(Self.tablet + ["join", text, "--book", "3f"]).code == .refused)
    #expect(stage.run(Self.tablet + ["join", "stick", "--folder", "x"]).code == .refused)
    #expect(stage.run("join", text).error.contains("this device issued that invitation"))
    let wrong = stage.run(Self.tablet + ["join", String(text.dropLast(2))])
    #expect(wrong.code == .refused && wrong.error.contains("invitation"))
  }
}
