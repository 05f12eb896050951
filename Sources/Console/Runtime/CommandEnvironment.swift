package import Platform
package import ReadModel

/// Everything a command depends on: a machine, the environment variables, the terminal and the process.
///
/// Because all of this is one value, a run of the program is a function of this value and the arguments.
package struct CommandEnvironment: Sendable {
  package var machine: Machine
  /// The environment variables.
  package var variables: [String: String]
  /// The directory that relative paths start from.
  package var workingDirectory: Path
  /// The name of this computer, which becomes the name of a new device.
  package var hostName: String
  package var streams: StandardStreams
  package var process: HostProcess
  /// Where read models are stored; nil for the folder of the book.
  package var view: ReadModel.Place?
  /// The folder of the witness, which records the ends of this device's logs outside the book; nil for the machine's
  /// own folder.
  package var witness: Path?
  /// Makes dice that produce the same numbers for the same seed, for the demonstration.
  package var seededDice: @Sendable (_ seed: UInt64) -> any Dice

  package init(
    machine: Machine, variables: [String: String], workingDirectory: Path, hostName: String,
    streams: StandardStreams, process: HostProcess,
    seededDice: @escaping @Sendable (UInt64) -> any Dice
  ) {
    self.machine = machine
    self.variables = variables
    self.workingDirectory = workingDirectory
    self.hostName = hostName
    self.streams = streams
    self.process = process
    self.seededDice = seededDice
  }

  /// Returns a copy of this environment with a different clock or memory budget.
  func with(
    _ timekeeper: (any Timekeeper)? = nil, memory: MemoryBudget? = nil
  ) -> CommandEnvironment {
    var changed = self
    changed.machine = Machine(
      disk: machine.disk, timekeeper: timekeeper ?? machine.timekeeper, dice: machine.dice,
      network: machine.network, beside: machine.beside, memory: memory ?? machine.memory,
      stateFolder: machine.stateFolder, variable: machine.variable)
    return changed
  }

  /// Resolves a path that the user typed against the working directory.
  ///
  /// The component `.` is omitted, because a path may be remembered and shown.
  func path(_ words: String) -> Path {
    let slash = UInt8(ascii: "/")
    let whole = words.utf8.first == slash ? words : workingDirectory.string + "/" + words
    let names = whole.utf8.split(separator: slash).map { String(Substring($0)) }
    return Path("/" + names.filter { $0 != "." }.joined(separator: "/"))
  }
}

extension CommandEnvironment {
  subscript(variable: Variable) -> String? { variables[variable.rawValue] }

  /// Whether the terminal supports only plain text.
  var isDumb: Bool { self[.terminal] == "dumb" }

  private func isSet(_ variable: Variable) -> Bool {
    self[variable].map { !$0.isEmpty && $0 != "0" } ?? false
  }

  /// Whether errors are reported with all details.
  var wantsDetail: Bool { isSet(.debug) }

  /// Whether output is coloured: on a terminal, unless the user's variables say otherwise.
  var wantsColour: Bool {
    if self[.noColour].map({ !$0.isEmpty }) ?? false { return false }
    if isSet(.forcedColour) || isSet(.otherForcedColour) { return true }
    return streams.isOutputTerminal && !isDumb
  }

  /// Whether the terminal supports 24-bit colour.
  var hasTrueColour: Bool {
    ["truecolor", "24bit"].contains(self[.colours])
  }
}

// MARK: Places

extension CommandEnvironment {
  /// Returns the folder of the book: `directory`, or the folder that the environment names, or the default data
  /// folder.
  func bookFolder(_ directory: String?) -> Path {
    if let directory { return path(directory) }
    if let named = self[.directory], !named.isEmpty { return path(named) }
    // The XDG specification requires relative paths to be ignored.
    if let data = self[.dataHome], data.hasPrefix("/") {
      return Path(data) / "daybook" / "default"
    }
    return Path((home ?? workingDirectory.string) + "/.local/share/daybook/default")
  }

  /// The user's home folder, if `HOME` is an absolute path.
  private var home: String? { self[.home].flatMap { $0.hasPrefix("/") ? $0 : nil } }

  /// Whether the folder of the book can be determined.
  ///
  /// Without this check, the book would be created below the current folder, where it is easily lost.
  func knowsPlace(_ directory: String?) -> Bool {
    let named = self[.directory].map { !$0.isEmpty } ?? false
    let hasData = self[.dataHome]?.hasPrefix("/") ?? false
    return directory != nil || named || hasData || home != nil
  }

  /// The folder for state that is not user data, such as the witness; nil if the environment does not determine it.
  package var stateFolder: Path? {
    .stateFolder(state: self[.stateHome], home: self[.home])
  }

  /// The folder of the user's settings for all programs; nil if the environment does not determine it.
  var configurationFolder: Path? {
    if let folder = self[.configurationHome], folder.hasPrefix("/") { return Path(folder) }
    return home.map { Path($0 + "/.config") }
  }
}
