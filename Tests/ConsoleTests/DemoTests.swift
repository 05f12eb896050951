import Foundation
import Phrasing
import Platform
import PosixPlatform
import SimulatedPlatform
import Synchronization
import Testing

@testable import Console

struct DemoTests {
  /// Runs the demonstration on the real disk and network, in a separate folder.
  private func play() throws -> (code: ExitCode, output: String, error: String) {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (output, error) = (Capture(), Capture())
    let environment = CommandEnvironment(
      machine: .system, variables: ["TMPDIR": folder.path()],
      workingDirectory: Path(folder.path()), hostName: "here",
      streams: StandardStreams(
        write: { output.append($0) }, writeError: { error.append($0) }, readInput: { _ in [] },
        readAnswer: { nil }),
      process: HostProcess(beside: SystemThread.start), seededDice: { Seeded(seed: $0) })
    let code = Console.run(["demo"], in: environment)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()) == [])
    return (code, output.take(), error.take())
  }

  @Test func `Demo: all steps pass and the output is the same every time`() throws {
    let first = try play()
    #expect(first.code == .done, "\(first.error)")
    #expect(first.output.contains("\n10 of 10 steps passed.\nYour turn: daybook add birthday"))
    #expect(try play().output == first.output)
  }
}
