/// The environment variables that daybook reads.
///
/// The program and the help share this table.
package enum Variable: String, CaseIterable, Sendable {
  case directory = "DAYBOOK_DIR"
  case now = "DAYBOOK_NOW"
  case memory = "DAYBOOK_MEMORY"
  case debug = "DAYBOOK_DEBUG"
  case home = "HOME"
  case dataHome = "XDG_DATA_HOME"
  case stateHome = "XDG_STATE_HOME"
  case configurationHome = "XDG_CONFIG_HOME"
  case pager = "DAYBOOK_PAGER"
  case commonPager = "PAGER"
  case noColour = "NO_COLOR"
  case forcedColour = "FORCE_COLOR"
  case otherForcedColour = "CLICOLOR_FORCE"
  case colours = "COLORTERM"
  case columns = "COLUMNS"
  case terminal = "TERM"
  case temporary = "TMPDIR"

  /// The effect of the variable, for the help.
  package var meaning: String {
    switch self {
    case .directory: "The folder of the book; -C overrides it."
    case .now: "The time to use as now, such as 2026-11-20T09:00:00Z; for tests."
    case .memory:
      "The MiB of memory for building the view; with less, a large book takes more steps. The default is 64 while serving peers, otherwise half of the machine's memory."
    case .debug:
      "If it is not 0, errors are printed with all details, for bug reports."
    case .home: "The user's folder, which contains all the folders below by default."
    case .dataHome: "Books are in its daybook/; by default in ~/.local/share/daybook/."
    case .stateHome:
      "Local state is in its daybook/; by default in ~/.local/state/daybook/."
    case .configurationHome:
      "Settings are in its daybook/config; by default in ~/.config/daybook/config."
    case .pager: "The pager for answers longer than the terminal; 'cat' or empty for none."
    case .commonPager: "The pager of all programs; by default 'less -FIRX'."
    case .forcedColour, .otherForcedColour: "Colours even without a terminal, if it is not 0."
    case .colours: "If it is 'truecolor' or '24bit', lists are shown in their own colours."
    case .columns: "The width of the terminal, if it does not report one."
    case .noColour: "No colours, if it is not empty."
    case .terminal: "No colours, no progress and no QR code, if it is 'dumb'."
    case .temporary: "Where 'daybook demo' runs; by default /tmp."
    }
  }
}
