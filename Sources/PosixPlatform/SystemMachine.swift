import Glibc
public import Platform

extension Machine {
  /// The computer on which the program runs.
  ///
  /// Its ``stateFolder`` is the same as that of the program `daybook`: the folder `daybook` in `$XDG_STATE_HOME` or, if
  /// that is not set, in `~/.local/state`.
  public static let system = Machine(
    disk: PosixDisk(), timekeeper: SystemTimekeeper(), dice: SystemDice(),
    network: PosixNetwork(), beside: SystemThread.start,
    memory: SystemMemory.budget,
    stateFolder: .stateFolder(state: variable("XDG_STATE_HOME"), home: variable("HOME")),
    variable: variable)

  /// Returns the value of an environment variable.
  @Sendable private static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }
}
