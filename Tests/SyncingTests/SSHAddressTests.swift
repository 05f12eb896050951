import Syncing
import Testing

/// Addresses of accounts that the program `ssh` logs in to.
struct SSHAddressTests {
  @Test(arguments: [
    ("ssh://desk", ["--", "desk"], []),
    ("ssh://ada@desk.example.org", ["--", "ada@desk.example.org"], []),
    ("ssh://ada@desk:2222", ["-p", "2222", "--", "ada@desk"], []),
    ("ssh://[fe80::1%eth0]:22", ["-p", "22", "--", "fe80::1%eth0"], []),
    ("ssh://ada@office.org@desk", ["--", "ada@office.org@desk"], []),
    ("ssh://desk/journals/book", ["--", "desk"], ["journals/book"]),
    ("ssh://desk//srv/book", ["--", "desk"], ["/srv/book"]),
    ("ssh://desk/my book", ["--", "desk"], ["'my book'"]),
    ("ssh://desk/-C", ["--", "desk"], ["./-C"]),
    ("ssh://desk/~/$HOME/`id`;*", ["--", "desk"], ["'~/$HOME/`id`;*'"]),
    ("ssh://desk/it's", ["--", "desk"], [#"'it'\''s'"#]),
    (#"ssh://desk/a\'b"#, ["--", "desk"], [#"'a'\\''\''b'"#]),
    (#"ssh://desk/"a%20"!"#, ["--", "desk"], [#"'"a%20"!'"#]),
    ("ssh://desk/büro", ["--", "desk"], ["'büro'"]),
    (
      "ssh://desk/x'\u{301};id;'\u{301}", ["--", "desk"], ["'x'\\''\u{301};id;'\\''\u{301}'"]
    ),
    ("ssh://desk/-\u{301}", ["--", "desk"], ["'./-\u{301}'"]),
  ])
  func `SSH address: it is kept as written, and becomes one command`(
    text: String, login: [String], book: [String]
  ) throws {
    let address = try #require(SSHAddress(text))
    #expect(address.text == text)
    let serve = ["daybook", "serve", "--stdio"]
    #expect(address.command == ["ssh"] + login + serve + (book.isEmpty ? [] : ["-C"] + book))
  }

  @Test func `SSH address: an empty book is the default one`() throws {
    #expect(SSHAddress("ssh://desk/") == SSHAddress("ssh://desk"))
    #expect(SSHAddress("ssh://desk/")?.text == "ssh://desk")
  }

  @Test func `SSH address: what a program could take for an option or a command is refused`() {
    let wrong = [
      "desk", "ssh:desk", "SSH://desk", "ssh://", "ssh:///book", "ssh://-oProxyCommand=id",
      "ssh://ada@-oProxyCommand", "ssh://-l@desk", "ssh://@desk", "ssh://ada@", "ssh://desk:",
      "ssh://desk:0", "ssh://desk:65536", "ssh://desk:+22", "ssh://desk:a", "ssh://::1",
      "ssh://[desk]",
      "ssh://[::1", "ssh://::1]:7", "ssh://de sk", "ssh://$(id)", "ssh://desk;id", "ssh://`id`",
      "ssh://a'b@desk", "ssh://a\\b@desk", "ssh://bü", "ssh://desk/a\nb", "ssh://desk/a\u{7f}",
      "ssh://" + String(repeating: "a", count: 254),
      "ssh://" + String(repeating: "a", count: 65) + "@desk",
      "ssh://desk/" + String(repeating: "a", count: 513),
    ]
    #expect(wrong.compactMap { SSHAddress($0)?.text } == [])
  }

  @Test(arguments: [
    ("ssh://ada@desk:22", "ssh -p 22 ada@desk daybook invite --no-qr --address ssh://ada@desk:22"),
    (
      "ssh://desk/a b",
      #"ssh desk 'daybook invite --no-qr --address '\''ssh://desk/a b'\'' -C '\''a b'\'''"#
    ),
  ])
  func `SSH address: its invitation is one command`(text: String, command: String) {
    #expect(SSHAddress(text)?.invitingCommand == command)
  }
}
