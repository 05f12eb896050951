/// The completion scripts for the shells.
///
/// The scripts contain no commands; they call `daybook __complete`. If that call prints nothing and exits with 0, the
/// shell offers files.
enum CompletionScript: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// The path at which the shell looks for the script, as shown in the help.
  var place: String {
    switch self {
    case .bash: "~/.local/share/bash-completion/completions/daybook"
    case .zsh: "_daybook in a folder listed in $fpath"
    case .fish: "~/.config/fish/completions/daybook.fish"
    }
  }

  var lines: [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private var text: String {
    switch self {
    case .bash:
      #"""
      # bash completions for daybook; save as ~/.local/share/bash-completion/completions/daybook
      _daybook() {
        local word meaning found status typed=${COMP_LINE:0:COMP_POINT}
        COMPREPLY=()
        # Bash completes only what follows the last colon of a word.
        typed=${typed##*[[:space:]]}
        typed=${typed%"${typed##*:}"}
        found=$(daybook __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
        status=$?
        while IFS=$'\t' read -r word meaning; do
          if [[ -n $word ]]; then COMPREPLY+=("$(printf '%q' "${word#"$typed"}")"); fi
        done <<< "$found"
        if [[ -z $found && $status -eq 0 ]]; then compopt -o default 2>/dev/null; fi
      }
      complete -F _daybook daybook
      """#
    case .zsh:
      #"""
      #compdef daybook
      # zsh completions for daybook; save as _daybook in a folder listed in $fpath
      _daybook() {
        local word meaning answer
        local -a found shown
        answer=$(daybook __complete "${(@)words[2,CURRENT]}" 2>/dev/null)
        local -i code=$?
        while IFS=$'\t' read -r word meaning; do
          if [[ -z $word ]]; then continue; fi
          found+=("$word")
          shown+=("$word${meaning:+  -- $meaning}")
        done <<< "$answer"
        if (( $#found )); then compadd -l -d shown -a found; elif (( code == 0 )); then _files; fi
      }
      if [[ $funcstack[1] == _daybook ]]; then _daybook "$@"; else compdef _daybook daybook; fi
      """#
    case .fish:
      #"""
      # fish completions for daybook; save as ~/.config/fish/completions/daybook.fish
      function __daybook_complete
          set -l words (commandline -opc)
          set -l found (daybook __complete $words[2..-1] (commandline -ct) 2>/dev/null)
          set -l code $status
          if test (count $found) -gt 0
              printf '%s\n' $found
          else if test $code -eq 0
              __fish_complete_path (commandline -ct)
          end
      end
      complete -c daybook -f -a '(__daybook_complete)'
      """#
    }
  }
}

enum CompletionCommands {
  static let completions = CommandSpec(
    "completions", "Print a script that makes a shell complete daybook commands.",
    traits: [.needsNoBook, .leavesBook], text("SHELL"),
    examples: [
      "daybook completions bash", "daybook completions zsh", "daybook completions fish",
    ]
  ) { context, shell in
    guard let script = CompletionScript(rawValue: shell) else {
      throw ConsoleError.badValue("the shell", shell, "Use bash, zsh or fish.")
    }
    context.output.answer(script.lines)
    if context.environment.streams.isOutputTerminal {
      context.output.note("save this as \(script.place), and open a new shell.")
    }
  }
}
