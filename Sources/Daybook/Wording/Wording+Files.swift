import Interchange
import Wording

extension BookFileError {
  var text: String {
    switch self {
    case .notJSON: "its book.json is not JSON"
    case .missing(let name): "its book.json has no valid '\(name)'"
    case .otherFormat(let format):
      "its format is \(format), but this version of daybook reads only format \(BookFile.format)"
    }
  }
}

extension ContactsFault {
  package var text: String {
    switch self {
    case .notJSON: "it is not JSON"
    case .shape: "its content is invalid"
    }
  }
}

extension OperationFault {
  /// The message about a line of operations that cannot be imported.
  func told(at line: Int) -> Told {
    Told("bad-line", .refused, "line \(line): \(text). Nothing was imported.")
  }
}
