import Bytes

/// An account on another machine that the program `ssh` logs in to, and a book on that machine.
package struct SSHAddress: Hashable, Sendable {
  /// The name to log in with; nil for the name in the configuration of `ssh`.
  package let user: String?
  /// A name or an address, or an alias in the configuration of `ssh`.
  package let host: String
  /// The port; nil for the port in the configuration of `ssh`.
  package let port: UInt16?
  /// The folder of the book, relative to the home folder unless it begins with a slash; nil for the default one.
  package let book: String?

  package static let scheme = "ssh://"

  /// Parses `ssh://[USER@]HOST[:PORT][/BOOK]`.
  ///
  /// An IPv6 address must be in brackets. All characters of the book's path are literal, and a second slash begins an
  /// absolute path. Users and hosts are refused if `ssh` could interpret them as options, or if a shell in its
  /// configuration could interpret them as commands.
  package init?(_ text: String) {
    guard text.hasPrefix(Self.scheme) else { return nil }
    let rest = text.dropFirst(Self.scheme.count)
    let slash = rest.firstIndex(of: "/")
    let account = rest[..<(slash ?? rest.endIndex)]
    let book = slash.map { String(rest[rest.index(after: $0)...]) } ?? ""
    let at = account.lastIndex(of: "@")
    user = at.map { String(account[..<$0]) }
    guard let place = Self.place(at.map { account[account.index(after: $0)...] } ?? account)
    else { return nil }
    (host, port) = place
    self.book = book.isEmpty ? nil : book
    guard user.map(Self.isUser) ?? true, Self.isBook(book) else { return nil }
  }

  package var text: String {
    let account = (user.map { "\($0)@" } ?? "") + (host.contains(":") ? "[\(host)]" : host)
    return Self.scheme + account + (port.map { ":\($0)" } ?? "") + (book.map { "/\($0)" } ?? "")
  }
}

// MARK: - The parts

extension SSHAddress {
  /// The limits on the parts, in bytes, which ensure that the address fits into an invitation and its QR code.
  private static let userBytes = 64
  private static let bookBytes = 512

  private static func place(_ text: Substring) -> (host: String, port: UInt16?)? {
    var (host, port) = (text, nil as UInt16?)
    let isBracketed = text.hasPrefix("[")
    if let colon = text.lastIndex(of: ":"), !(isBracketed && text.hasSuffix("]")) {
      guard let number = UInt16(port: text[text.index(after: colon)...]), number > 0
      else { return nil }
      (host, port) = (text[..<colon], number)
    }
    if isBracketed {
      guard host.hasSuffix("]"), host.contains(":") else { return nil }
      host = host.dropFirst().dropLast()
    }
    return isHost(host, isBracketed) ? (String(host), port) : nil
  }

  private static func isHost(_ text: Substring, _ isBracketed: Bool) -> Bool {
    let signs = isBracketed ? ".-_:%" : ".-_"
    return isPlain(text, signs, within: Limit.hostBytes)
  }

  private static func isUser(_ text: String) -> Bool {
    isPlain(text[...], ".-_+=,@", within: userBytes)
  }

  /// Whether a part contains only letters, digits and the given signs, and does not look like an option.
  private static func isPlain(_ text: Substring, _ signs: String, within limit: Int) -> Bool {
    !text.isEmpty && text.utf8.count <= limit && !text.hasPrefix("-")
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || signs.contains($0) }
  }

  private static func isBook(_ text: String) -> Bool {
    text.utf8.count <= bookBytes && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
  }
}

// MARK: - The command

extension SSHAddress {
  /// The command with which a user logs in to the machine interactively.
  package var login: String { (["ssh"] + portWords + [account]).joined(separator: " ") }

  /// The program, with its arguments, that connects to a `daybook` on that machine.
  package var command: [String] {
    ["ssh"] + portWords + ["--", account, "daybook", "serve", "--stdio"] + folder.map(Self.word)
  }

  /// A command for this machine's shell that gets an invitation to the book on that machine.
  package var invitingCommand: String {
    let words = ["daybook", "invite", "--no-qr", "--address", text] + folder
    let remote = words.map(Self.word).joined(separator: " ")
    // A second shell on that machine reads the command.
    return "\(login) \(words.allSatisfy { Self.word($0) == $0 } ? remote : Self.word(remote))"
  }

  private var portWords: [String] { port.map { ["-p", "\($0)"] } ?? [] }

  private var account: String { (user.map { "\($0)@" } ?? "") + host }

  /// The option that names the book; the folder is written so that it never looks like an option.
  private var folder: [String] {
    book.map { ["-C", $0.utf8.first == UInt8(ascii: "-") ? "./\($0)" : $0] } ?? []
  }

  /// A word as a shell expects it, quoted if necessary.
  private static func word(_ word: String) -> String {
    let isPlain = word.allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber) || "@+:,./_-".contains($0)
    }
    return isPlain ? word : word.inSingleQuotes
  }
}
