import Bytes
import Phrasing
import QR
import Syncing
import Testing

@testable import Console

/// The QR code of an invitation: when it is drawn, and what a camera reads.
struct InviteTests {
  private let stage = Stage()

  init() { _ = stage.answer("add", "todo", "Sweep") }

  private static let address = ["--address", "laptop.local:7771"]
  private static let nobodyServes =
    "daybook: this book is not being served yet. Start 'daybook serve' before the other device joins.\n"

  private func invite(
    _ words: [String] = [], columns: Int = 80, lines: Int = 24,
    environment: [String: String] = [:]
  ) -> Stage.Outcome {
    stage.run(
      ["invite"] + Self.address + words, environment: environment,
      adjust: { environment in
        environment.streams.isOutputTerminal = true
        environment.streams.size = (columns, lines)
      })
  }

  /// Returns the text above a code, without the invitation.
  private func told(_ output: String) -> [String] {
    output.split(separator: "\n", omittingEmptySubsequences: false).prefix(8)
      .map { $0.contains("daybook1:") ? "INVITATION" : String($0) }
  }

  private func invitation(in output: String) -> String? {
    output.split { $0.isWhitespace }.first { $0.hasPrefix("daybook1:") }.map(String.init)
  }

  private static let ink = "\u{1B}[38;5;16;48;5;231m"
  private static let end = "\u{1B}[0m"

  /// Returns the lines of a code without their colours; either all lines have colours or none.
  private func drawing(_ output: String, isPainted: Bool) -> [String] {
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(8)
      .dropLast().map(String.init)
    guard isPainted else { return lines }
    #expect(lines.allSatisfy { $0.hasPrefix(Self.ink) && $0.hasSuffix(Self.end) })
    return lines.map { String($0.dropFirst(Self.ink.count).dropLast(Self.end.count)) }
  }

  // MARK: The drawing

  @Test func `Invitation code: each character shows two modules inside a quiet zone`() throws {
    let code = try #require(QRCode("DAYBOOK1:"))
    let drawing = try #require(CodeDrawing(code, on: nil))
    let lines = [
      "                             ", "                             ",
      "    █▀▀▀▀▀█  █▄▄▀ █▀▀▀▀▀█    ", "    █ ███ █    ██ █ ███ █    ",
      "    █ ▀▀▀ █ ▀   █ █ ▀▀▀ █    ", "    ▀▀▀▀▀▀▀ █ █ █ ▀▀▀▀▀▀▀    ",
      "     ▄▀█ ▄▀█▀▀██▄█▀▄▀▄ ▄▄    ", "     ▄ ▀█ ▀▀ ▄▄▀▄ ▄ ▄▀  ▀    ",
      "    ▀▀▀  ▀▀ █▀█▀▄▄ ▀ ▄█▀     ", "    █▀▀▀▀▀█ ▀▀█▀  ▀  ▀█▀▀    ",
      "    █ ███ █ ▄█▀  ▄█▀▀▄ █▀    ", "    █ ▀▀▀ █ ▀ █▄▄▀▀▀ ▄▀      ",
      "    ▀▀▀▀▀▀▀  ▀     ▀ ▀ ▀     ", "                             ",
      "                             ",
    ]
    #expect(drawing.lines(Paint(true)) == lines.map { Self.ink + $0 + Self.end })
    let turned: [Character: Character] = ["█": " ", " ": "█", "▀": "▄", "▄": "▀"]
    #expect(drawing.lines(Paint(false)) == lines.map { String($0.map { turned[$0] ?? "?" }) })
  }

  @Test func `Invitation code: a small terminal gets a smaller margin or no code`() throws {
    let code = try #require(QRCode("DAYBOOK1:"))
    func lines(_ columns: Int, _ lines: Int) -> [String]? {
      CodeDrawing(code, on: (columns, lines))?.lines(Paint(true))
    }
    #expect(lines(29, 16)?.count == 15)
    for (columns, rows) in [(28, 16), (29, 15), (25, 14)] {
      let drawn = try #require(lines(columns, rows))
      #expect(drawn.count == 13)
      #expect(drawn[0] == Self.ink + String(repeating: " ", count: 25) + Self.end)
      #expect(drawn[1] == Self.ink + "  █▀▀▀▀▀█  █▄▄▀ █▀▀▀▀▀█  " + Self.end)
    }
    #expect(lines(24, 16) == nil)
    #expect(lines(29, 13) == nil)
    #expect(CodeDrawing.least(for: code) == (25, 14))
  }

  // MARK: The command

  @Test(arguments: [true, false])
  func `Invitation code: a decoded drawing is a valid invitation`(isPainted: Bool) throws {
    let outcome = invite(environment: isPainted ? [:] : ["NO_COLOR": "1"])
    #expect(outcome.code == .done)
    #expect(outcome.error == Self.nobodyServes)
    #expect(
      told(outcome.output) == [
        "On the other machine, within ten minutes, run 'daybook join' and enter this:", "",
        "INVITATION", "", "The invitation admits one device, once. Keep it private.", "",
        isPainted
          ? "Or scan this QR code:" : "Or scan this QR code (--color prints it black on white):",
        "",
      ])
    let lines = drawing(outcome.output, isPainted: isPainted)
    #expect(lines.count == 23)
    #expect(Set(lines.map(\.count)) == [45])
    let seen = try #require(Camera(lines, isPainted: isPainted))
    #expect(seen.margins == [4, 4, 5, 4])
    let printed = try #require(invitation(in: outcome.output))
    #expect(seen.text == printed.uppercased())
    #expect(try Invitation(parsing: seen.text) == Invitation(parsing: printed))
    let own = "this device issued that invitation. Use it on the device that is to join."
    #expect(stage.run("join", seen.text).error == "daybook: \(own)\n")
    let joined = stage.run("-C", "phone", "join", seen.text)
    #expect(joined.error.contains("nothing is listening at laptop.local:7771."))
  }

  @Test func `Invitation code: a terminal that is too small gets a message instead`() throws {
    let small =
      "daybook: the terminal is too small for the QR code, which needs 41 columns and 22 lines.\n"
    for (columns, lines) in [(40, 24), (41, 21)] {
      for words in [[], ["--qr"]] {
        let outcome = invite(words, columns: columns, lines: lines)
        #expect(told(outcome.output).count == 6)
        #expect(outcome.output.hasSuffix("Keep it private.\n"))
        #expect(outcome.error == Self.nobodyServes + small)
      }
    }
    let fitting = drawing(invite(columns: 41, lines: 22).output, isPainted: true)
    #expect(try #require(Camera(fitting, isPainted: true)).margins == [2, 2, 3, 2])
  }

  @Test func `Invitation code: output as JSON or to a pipe has no code unless requested`() throws {
    for words in [["--json"], ["--no-qr"], ["--quiet"], ["--plain"]] {
      let outcome = invite(words)
      #expect(outcome.code == .done)
      #expect(!outcome.output.contains { "█▀▄".contains($0) }, "\(words)")
    }
    let json = try JSON(parsing: Array(invite(["--json"]).output.utf8))
    #expect(
      json.members?.map(\.name) == ["invitation", "address", "alternatives", "until"])
    #expect(!invite(environment: ["TERM": "dumb"]).output.contains("█"))
    let piped = stage.run(["invite"] + Self.address).output
    #expect(piped.hasSuffix("\nThe invitation admits one device, once. Keep it private.\n"))
    let asked = stage.run(["invite", "--qr"] + Self.address).output
    let seen = try #require(Camera(drawing(asked, isPainted: false), isPainted: false))
    #expect(seen.text == invitation(in: asked)?.uppercased())
    #expect(invite(["--qr", "--quiet"]).output.split(separator: "\n").count == 24)
  }

  @Test func `Invitation code: contradictory options are refused`() {
    for (words, told) in [
      (["--qr", "--no-qr"], "'--qr' and '--no-qr'"), (["--qr", "--json"], "'--qr' and '--json'"),
    ] {
      let outcome = invite(words)
      #expect(outcome.code == .usage)
      #expect((outcome.error + outcome.output).contains("\(told) contradict each other."))
    }
  }

  @Test func `Invitation code: the longest address still fits`() {
    let host = String(repeating: "a", count: 253)
    let outcome = stage.run(["invite", "--qr", "--address", "\(host):65535"])
    #expect(outcome.code == .done)
    #expect(Set(drawing(outcome.output, isPainted: false).map(\.count)) == [65 + 8])
  }
}
