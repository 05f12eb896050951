import Phrasing

/// Completes words such as `@ho` and `due:fr`, which set fields of a new to-do.
enum CompletionTokens {
  /// Returns the tokens that the word begins, from the candidates for the values of an option.
  static func candidates(
    for word: String, values: (_ option: String) -> [Completion.Candidate]
  ) -> [Completion.Candidate] {
    TodoToken.forms.filter { word.lowercased().hasPrefix($0.mark) }.flatMap { form in
      values(form.option).map { value in
        Completion.Candidate(word: form.mark + value.word, meaning: value.meaning)
      }
      // A value with a space would have to be quoted; otherwise, it would be text.
      .filter { !$0.word.contains(where: \.isWhitespace) && TodoToken($0.word) != nil }
    }
  }

  /// Joins the parts of tokens, which Bash passes as separate words, because `@` and `:` separate words in Bash.
  static func joined(_ words: [String]) -> [String] {
    let marks = TodoToken.forms.map(\.mark)
    var joined: [String] = []
    for word in words {
      if let last = joined.last, word == ":", marks.contains(last.lowercased() + word) {
        joined[joined.count - 1] += word
      } else if let last = joined.last, last.count > 1 || last == "@",
        marks.contains(last.lowercased())
      {
        joined[joined.count - 1] += word
      } else {
        joined.append(word)
      }
    }
    return joined
  }
}
