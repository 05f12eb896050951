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

  /// The effect of the variable, as shown in the help.
  package var meaning: String {
    switch self {
    case .directory: "The folder of the book; -C overrides it."
    case .now:
      "The time to use instead of the current time, for tests, such as 2026-11-20T09:00:00Z."
    case .memory:
      "The memory for building the view, in MiB; with less memory, a large book takes more steps. The default is half of the memory that the process may use, and at most 64 for 'serve' and 'sync --follow'."
    case .debug:
      "If it is neither empty nor 0, errors are printed with all details, for bug reports."
    case .home: "The home folder of the user, which contains the next three folders by default."
    case .dataHome:
      "The folder whose subfolder daybook/ contains the books; by default ~/.local/share."
    case .stateHome:
      "The folder whose subfolder daybook/ contains the local state; by default ~/.local/state."
    case .configurationHome:
      "The folder whose file daybook/config contains the settings; by default ~/.config."
    case .pager:
      "The pager for help, records and history that do not fit on the screen; 'cat' or an empty value disables paging."
    case .commonPager:
      "The pager if DAYBOOK_PAGER is not set; if neither is set, 'less -FIRX' is used."
    case .forcedColour, .otherForcedColour:
      "If it is neither empty nor 0, colours are used even without a terminal; NO_COLOR overrides it."
    case .colours:
      "If it is 'truecolor' or '24bit', coloured output shows lists in their own colours."
    case .columns: "The width of the terminal, if the terminal does not report it."
    case .noColour: "If it is not empty, colours are used only with --color."
    case .terminal:
      "If it is 'dumb', the pager and progress are disabled, and colours and QR codes are used only on request."
    case .temporary: "The folder in which 'daybook demo' runs; by default /tmp."
    }
  }
}
