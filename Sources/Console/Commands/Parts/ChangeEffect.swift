import Bytes
import Daybook

/// What a command changes: the question, the dry run and the report state it in the same words.
struct ChangeEffect {
  /// The number of records that the command names or selects.
  var named = 0
  /// The records among them that change; the others already have the new values.
  var changed: [UniqueID] = []
  var subtasks = 0
  /// The number of changed to-dos whose repeats end.
  var ended = 0
  /// The number of repeating to-dos of which only one date changes.
  var ofOneDate = 0
  /// The number of other records that change because they belonged to the named records.
  var others = 0
  /// The number of repeating to-dos that no longer have an end.
  var endless = 0

  var isNothing: Bool { changed.isEmpty && subtasks == 0 }

  /// Returns what changes: `3 to-dos, the repeats of 1 of them and 2 sub-tasks`.
  ///
  /// The contents of the records follow their number.
  func words(_ noun: String, with contents: String = "") -> String {
    let count = changed.count
    var parts = count == 0 ? [] : [count.counted(noun) + contents]
    if ended > 0 {
      parts.append(
        count == 1
          ? "its repeats" : ended == count ? "their repeats" : "the repeats of \(ended) of them")
    }
    if subtasks > 0 || parts.isEmpty { parts.append(subtasks.counted("sub-task")) }
    let last = parts.removeLast()
    return parts.isEmpty ? last : "\(parts.joined(separator: ", ")) and \(last)"
  }

  /// Returns sentences about what is different for some of the records, each after a blank; empty if there is nothing.
  func details(of change: RecordChange) -> String {
    var sentences: [String] = []
    let rest = named - changed.count
    if rest > 0 { sentences.append("\(rest) \(rest == 1 ? "is" : "are") already as requested.") }
    if ofOneDate > 0 {
      let dates = ofOneDate == 1 ? "its current date" : "their current dates"
      sentences.append("\(repeating) only \(dates) would be changed.")
    }
    if changed.count == 1, let end = change.lostEnds[changed[0]] {
      sentences.append("It would no longer end \(end).")
    } else if endless > 0 {
      sentences.append("\(endless) of them would no longer have an end.")
    }
    if others > 0, let place = change.leaves {
      sentences.append("\(others.counted("to-do")) would then be \(place).")
    }
    return sentences.map { " " + $0 }.joined()
  }

  /// `It repeats, and`, or the number of to-dos that repeat.
  private var repeating: String {
    if changed.count == 1 { return "It repeats, and" }
    return ofOneDate == 1 ? "1 of them repeats, and" : "\(ofOneDate) of them repeat, and"
  }
}
