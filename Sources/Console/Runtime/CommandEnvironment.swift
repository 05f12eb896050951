package import Platform
package import ReadModel

/// Where a command runs: a machine, the environment variables, the terminal and the process.
///
/// It is one value, so that a run of the program is a function of it and of the arguments.
package struct CommandEnvironment: Sendable {
  package var machine: Machine
  /// The environment variables.
  package var variables: [String: String]
  /// Where relative paths begin.
  package var workingDirectory: Path
  /// The name of this computer, for the name of the device.
  package var hostName: String
  package var streams: StandardStreams
  package var process: HostProcess
  /// Where read models are kept; nil for the folder of the book.
  package var view: ReadModel.Place?
  /// Where the ends of this device's logs are remembered outside of the book, if anywhere.
  package var witness: Path?
  /// Dice that fall the same way for the same seed, for the demonstration.
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

  /// The same environment with another clock, or with other memory.
  func with(
    _ timekeeper: (any Timekeeper)? = nil, memory: MemoryBudget? = nil
  ) -> CommandEnvironment {
    var changed = self
    changed.machine = Machine(
      disk: machine.disk, timekeeper: timekeeper ?? machine.timekeeper, dice: machine.dice,
      network: machine.network, beside: machine.beside, memory: memory ?? machine.memory)
    return changed
  }

  /// A path as the user wrote it, seen from the working directory.
  func path(_ words: String) -> Path {
    words.utf8.first == UInt8(ascii: "/")
      ? Path(words) : Path(workingDirectory.string + "/" + words)
  }
}

extension CommandEnvironment {
  /// The value of an environment variable.
  subscript(variable: Variable) -> String? { variables[variable.rawValue] }

  /// Whether the terminal shows lines of text and no more.
  var isDumb: Bool { self[.terminal] == "dumb" }

  private func isSet(_ variable: Variable) -> Bool {
    self[variable].map { !$0.isEmpty && $0 != "0" } ?? false
  }

  /// Whether an error is to be reported with all that is known of it.
  var wantsDetail: Bool { isSet(.debug) }

  /// Colours only for a terminal whose user has not declined them.
  var wantsColour: Bool {
    if self[.noColour].map({ !$0.isEmpty }) ?? false { return false }
    if isSet(.forcedColour) || isSet(.otherForcedColour) { return true }
    return streams.isOutputTerminal && !isDumb
  }

  /// Whether the terminal shows any colour.
  var hasTrueColour: Bool {
    ["truecolor", "24bit"].contains(self[.colours])
  }
}

// MARK: Places

extension CommandEnvironment {
  /// The folder of the book: the one that is given, the one that the environment names, or where data belongs.
  func bookFolder(_ directory: String?) -> Path {
    if let directory { return path(directory) }
    if let named = self[.directory], !named.isEmpty { return path(named) }
    // The XDG specification says that relative paths are to be ignored.
    if let data = self[.dataHome], data.hasPrefix("/") {
      return Path(data) / "daybook" / "default"
    }
    return Path((home ?? workingDirectory.string) + "/.local/share/daybook/default")
  }

  /// Where the user's files are, as far as the environment tells.
  private var home: String? { self[.home].flatMap { $0.hasPrefix("/") ? $0 : nil } }

  /// Whether it is known where the book is; a book in the current folder, whatever that is, would soon be lost.
  func knowsPlace(_ directory: String?) -> Bool {
    let named = self[.directory].map { !$0.isEmpty } ?? false
    let hasData = self[.dataHome]?.hasPrefix("/") ?? false
    return directory != nil || named || hasData || home != nil
  }

  /// Where state belongs that is no data: the folder of the witness, for programs on a real machine.
  package var stateFolder: Path? {
    // The XDG specification says that relative paths are to be ignored.
    if let state = self[.stateHome], state.hasPrefix("/") {
      return Path(state) / "daybook"
    }
    return home.map { Path($0 + "/.local/state/daybook") }
  }

  /// Where the user's settings for all programs are, if that is known.
  var configurationFolder: Path? {
    if let folder = self[.configurationHome], folder.hasPrefix("/") { return Path(folder) }
    return home.map { Path($0 + "/.config") }
  }
}
