import Phrasing

/// The commands of the program, in the groups and the order of the help.
struct CommandTable: Sendable {
  struct Group: Sendable {
    let title: String
    let commands: [CommandSpec]
  }

  let groups: [Group]

  var all: [CommandSpec] { groups.flatMap(\.commands) }

  /// The commands that can read the past, as a comma-separated list.
  var pastCommands: String {
    all.filter { $0.reading == .past }.map(\.path).joined(separator: ", ")
  }

  /// Alternative names of commands.
  static let aliases = ["ls": ["list"], "rm": ["delete"], "bd": ["add", "birthday"]]

  /// The second words that commands can omit: `add Buy milk` means `add todo Buy milk`.
  static let presumed = ["add": "todo"]

  /// Returns a suggestion for an unknown first word: a help topic, a global option or a command.
  func command(meant word: String) -> String? {
    if Help.topics.contains(word) { return "help \(word)" }
    if Globals.form(word) != nil { return "--\(word)" }
    if let longer = all.first(where: { $0.words.dropFirst().first == word }) { return longer.path }
    let known = all.compactMap(\.words.first) + Self.aliases.keys.sorted()
    guard let near = Spelling.nearest(to: word, among: known.filter { !Self.harmful.contains($0) })
    else {
      // `delete` is suggested nevertheless, because a deleted record can be restored.
      return Spelling.distance(from: word, to: "delete") == 1 ? "delete" : nil
    }
    return near
  }

  /// Commands that could do harm, and are therefore not suggested for similar words.
  private static let harmful: Set = ["delete", "rm", "erase", "found"]
}
