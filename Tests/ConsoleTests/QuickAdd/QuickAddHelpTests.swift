import Domain
import Phrasing
import Testing

@testable import Console

/// Tokens and short options in help, the manual and completion.
struct QuickAddHelpTests {
  @Test func `Quick add: each token means an option of add todo`() throws {
    let add = try #require(CommandCatalog.all.first { $0.path == "add todo" })
    for form in TodoToken.formsOnPage {
      let option = try #require(add.form(ofOption: form.option), "\(form.mark)")
      #expect(option.value != nil)
    }
    let marks = TodoToken.formsOnPage.map(\.mark)
    #expect(Set(marks).count == marks.count)
  }

  @Test func `Quick add: help, the reference and the manual list each token`() throws {
    let help = try Help(CommandCatalog.table).lines(about: ["add", "todo"])
    let reference = CommandReference.lines(CommandCatalog.table)
    let manual = Manual.program(CommandCatalog.table)
    for form in TodoToken.forms {
      let token = form.mark + form.value
      #expect(help.contains { $0.hasPrefix("  \(token) ") }, "\(token)")
      #expect(reference.contains("| `\(token)` | \(form.meaning) |"), "\(token)")
      #expect(manual.contains(".It Ic \"\(token)\""), "\(token)")
    }
  }

  @Test func `Quick add: no command has a letter twice, or the letter of a global option`() {
    for command in CommandCatalog.all {
      let letters =
        command.forms.compactMap { form in
          // Options that select to-dos come before the word 'set', and may have the letters of fields.
          if case .option(let option) = form, !option.isFilter { option.letter } else { nil }
        } + Globals.forms.compactMap(\.letter)
        + (command.forms.contains(.fields) ? Array(FieldOptions.letters.keys) : [])
      #expect(Set(letters).count == letters.count, "\(command.path)")
    }
    for (letter, name) in FieldOptions.letters {
      #expect(FieldOptions.named[name] != nil, "\(letter)")
    }
  }

  private func words(_ words: String...) -> [String] {
    Completion.candidates(for: words, by: CommandCatalog.all) { subject in
      switch subject {
      case .tags: ["food", "shop"].map { .init(word: $0) }
      case .names(.list): ["Home", "Home improvement", "Work"].map { .init(word: $0) }
      default: []
      }
    }.map(\.word)
  }

  @Test func `Completion: tokens are completed with their values`() {
    #expect(words("add", "Buy", "+f") == ["+food"])
    #expect(words("add", "+") == ["+food", "+shop"])
    #expect(words("add", "todo", "Buy", "@h") == ["@Home"])
    #expect(words("add", "Buy", "!") == ["!low", "!normal", "!high"])
    #expect(words("add", "Buy", "due:tom") == ["due:tomorrow"])
    #expect(words("add", "Buy", "--", "+f") == [])
    #expect(words("add", "list", "Buy", "+f") == [])
    #expect(words("add", "Buy", "-p", "") == ["low", "normal", "high"])
    #expect(words("add", "-p", "h") == ["high"])
    #expect(words("add", "Buy", "--prio") == ["--priority"])
    #expect(words("edit", "x", "-l", "w") == ["Work"])
  }

  @Test func `Completion: parts of tokens that Bash separates are joined`() {
    #expect(words("add", "Buy", "@", "h") == ["@Home"])
    #expect(words("add", "Buy", "@") == ["@Home", "@Work"])
    #expect(words("add", "Buy", "due", ":", "tom") == ["due:tomorrow"])
    #expect(words("add", "Buy", "due", ":").count > 5)
    #expect(CompletionTokens.joined(["a", "due", ":", "fri", "x"]) == ["a", "due:fri", "x"])
    #expect(CompletionTokens.joined(["tcp", ":", "//x"]) == ["tcp", ":", "//x"])
  }
}
