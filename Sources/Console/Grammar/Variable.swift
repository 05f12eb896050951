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
    case .directory: "The folder of the book, unless -C says another."
    case .now: "The time it is taken to be, such as 2026-11-20T09:00:00Z; for trials."
    case .memory:
      "How many MiB of memory the view may be built with; a large book takes more steps. The default is 64 while serving peers, else half of what the machine has."
    case .debug:
      "If it is not 0, an error is told with all that is known of it; for reports of faults."
    case .home: "The user's folder, in which all below has its place if nothing else is said."
    case .dataHome: "Books are in its daybook/, else in ~/.local/share/daybook/."
    case .stateHome:
      "What this device remembers is in its daybook/, else in ~/.local/state/daybook/."
    case .configurationHome: "Settings are in its daybook/config, else in ~/.config/daybook/config."
    case .pager: "Shows answers that are longer than the terminal; 'cat' or nothing for none."
    case .commonPager: "The same for all programs; else it is 'less -FIRX'."
    case .forcedColour, .otherForcedColour: "Colours also where no terminal is, if it is not 0."
    case .colours: "If it is 'truecolor' or '24bit', lists wear their own colours."
    case .columns: "How wide the terminal is, where it does not tell itself."
    case .noColour: "No colours, if it holds anything."
    case .terminal: "No colours, no progress and no QR code, if it is 'dumb'."
    case .temporary: "Where 'daybook demo' plays, else in /tmp."
    }
  }
}
