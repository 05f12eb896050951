package import Daybook
package import Journaling
package import Platform

extension Device.Admission {
  /// The author, time and route of the admission: `admitted by desk on 2026-11-26 10:31 by an invitation`.
  package func text(at timekeeper: any Timekeeper) -> String {
    let day = time.map { " on \(timekeeper.localText(of: $0))" } ?? ""
    return "admitted by \(author.visible)\(day)\(route.map { " \($0.words)" } ?? "")"
  }
}

extension Device.Sponsor {
  /// How a waiting device depends on a revoked device, in words: `laptop, which was revoked, let it in`.
  package var words: String {
    switch link {
    case .nextKey: "\(name.visible), which was revoked, let it in as its own new key"
    case .admission: "\(name.visible), which was revoked, let it in"
    case .chain: "it was let in through \(name.visible), which was revoked"
    case .claim: "it has a new key and claims to be \(name.visible), which was revoked"
    }
  }
}

extension AdmissionRoute {
  /// The route of the admission, as text that follows the author's name and the time.
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

  /// The name of the route in output for programs.
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
