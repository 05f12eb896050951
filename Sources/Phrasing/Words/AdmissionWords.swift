package import Daybook
package import Journaling
package import Platform

extension Device.Admission {
  /// Who let the device in, when and how: `let in by desk on 2026-11-26 10:31 by an invitation`.
  package func text(at timekeeper: any Timekeeper) -> String {
    let day = time.map { " on \(timekeeper.localText(of: $0))" } ?? ""
    return "let in by \(author.visible)\(day)\(route.map { " \($0.words)" } ?? "")"
  }
}

extension AdmissionRoute {
  /// How a device came to be let in, behind the one that let it in.
  package var words: String {
    switch self {
    case .command: "by a command"
    case .invitation: "by an invitation"
    case .folder(let name): "from the folder \(name.visible)"
    case .file(let name): "from the file \(name.visible)"
    case .machine(let name): "from \(name.visible)"
    case .newKey: "as its new key"
    }
  }

  /// The same for programs.
  package var name: String {
    switch self {
    case .command: "command"
    case .invitation: "invitation"
    case .folder: "folder"
    case .file: "file"
    case .machine: "machine"
    case .newKey: "newKey"
    }
  }
}
