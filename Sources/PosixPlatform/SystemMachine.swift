import Glibc
public import Platform

extension Machine {
  /// The computer on which the program runs.
  ///
  /// Its ``stateFolder`` is `daybook` in `$XDG_STATE_HOME`, or else in `~/.local/state`, as for the program `daybook`.
  public static let system = Machine(
    disk: PosixDisk(), timekeeper: SystemTimekeeper(), dice: SystemDice(),
    network: PosixNetwork(), beside: SystemThread.start,
    memory: SystemMemory.budget,
    stateFolder: .stateFolder(state: variable("XDG_STATE_HOME"), home: variable("HOME")),
    variable: variable)

  /// The value of an environment variable.
  @Sendable private static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }
}
