/// The commands to suggest for words that users try but that are not commands.
enum CommandAdvice {
  private static let advice: [(words: Set<String>, sentence: String)] = [
    (
      ["trash", "bin", "deleted", "undelete", "recover", "papierkorb", "gelöscht", "回收站"],
      "'daybook list deleted' lists the deleted records, and 'daybook restore ID' brings one back."
    ),
    (
      ["today", "agenda", "heute", "now", "due", "今天"],
      "Run daybook without a command to see what is due."
    ),
    (
      ["week", "woche", "本周"],
      "'daybook list todos --due today..eow' lists what is due from today to the end of the week."
    ),
    (
      ["tomorrow", "morgen", "明天"],
      "'daybook list todos --due tomorrow' lists what is due tomorrow."
    ),
    (["overdue", "überfällig"], "'daybook list todos --overdue' lists what is overdue."),
    (["tasks", "task", "aufgaben", "任务"], "'daybook list todos' lists the open to-dos."),
  ]

  /// Returns the advice about a word that is not a command; nil if there is none.
  static func sentence(for word: String) -> String? {
    let word = word.lowercased()
    return advice.first { $0.words.contains(word) }?.sentence
  }
}
