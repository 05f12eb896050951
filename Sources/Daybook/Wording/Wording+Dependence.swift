import Domain
import Wording

extension Dependence {
  private static let shownDependents = 3

  /// The record and its dependents, as text.
  package var words: String {
    let name = "\(kind.name) '\(title.visible)'"
    let later = dependents.filter { !$0.isFromBefore }
    // A record that came with this one is named only if nothing else has used this one since.
    guard later.isEmpty else {
      let all = later.shortened(to: Self.shownDependents) { dependent in
        dependent.id == id
          ? "edits by \(dependent.device.visible)"
          : "\(dependent.name) of \(dependent.device.visible)"
      }
      return "\(name) has been used since: \(all.joined(separator: ", "))"
    }
    let all = dependents.shortened(to: Self.shownDependents, \.name)
    let verb = dependents.count == 1 ? "has" : "have"
    return "\(name) contains \(all.joined(separator: ", ")), which \(verb) been used since"
  }
}

extension Dependence.Dependent {
  fileprivate var name: String { "\(kind.name) '\(title.visible)'" }
}

extension LastingChange {
  /// A sentence about what the command did, and how to reverse it if that is possible.
  package var words: String {
    switch self {
    case .named(let name, let now):
      "a device was named \(Self.words(name, now)); to change the name, run 'daybook device rename \(now.quoted.visible) NEW'"
    case .admitted(let name, let now):
      "\(Self.words(name, now)) was admitted; to remove it permanently, run 'daybook device revoke \(now.quoted.visible)'"
    case .revoked(let name): "\(name.visible) was revoked, which is permanent"
    }
  }

  /// The name that a device had then, and its present name if that name is different.
  private static func words(_ name: String, _ now: String) -> String {
    name == now ? name.visible : "\(name.visible) (now called \(now.visible))"
  }
}
