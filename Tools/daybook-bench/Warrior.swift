import Bytes
import Platform
import PosixPlatform

/// Taskwarrior with the same number of open tasks, for comparison.
struct Warrior {
  private let program: Program
  private let settings: String

  /// Imports tasks into Taskwarrior; nil if it is not installed.
  init?(tasks: Int, in parent: Path) throws {
    let disk = Machine.system.disk
    let path = "/usr/bin/task"
    guard try disk.status(Path(path)) != nil else { return nil }
    program = Program(path: path)
    let folder = parent / "tasks"
    try disk.makeDirectories(folder)
    settings = "rc:\((folder / "taskrc").string)"
    try disk.replace(
      folder / "taskrc",
      with: Array("data.location=\(folder.string)\nconfirmation=off\nverbose=nothing\n".utf8))
    let file = folder / "tasks.json"
    try disk.replace(file, with: Array(Self.tasks(tasks).utf8))
    try program.run([settings, "import", file.string])
  }

  func run(_ deed: Deed, turn: Int) throws {
    let words =
      switch deed {
      case .add: ["add", "Take out bin \(turn)", "due:tomorrow"]
      case .done: ["\(turn + 1)", "done"]
      case .undo: ["undo"]
      case .today: ["next"]
      case .page: ["list", "limit:50"]
      case .all: ["list"]
      }
    try program.run([settings] + words)
  }

  private static func tasks(_ count: Int) -> String {
    var chance = Chance()
    let words = Words(count: 400, exponent: 1, &chance)
    let lines = (0..<count).map { number in
      let title = (0..<2 + chance.below(7)).map { _ in words.pick(&chance) }.joined(separator: " ")
      let due = number % 5 < 2 ? #","due":"20260\#(1 + chance.below(9))15T000000Z""# : ""
      return
        #"{"uuid":"\#(chance.id())","status":"pending","entry":"20260101T080000Z","#
        + #""description":"\#(title)","project":"list\#(chance.below(40))"\#(due)}"#
    }
    return "[\(lines.joined(separator: ",\n"))]"
  }
}
