import Bytes
import Console
import Foundation
import Phrasing
import Platform
import SimulatedPlatform
import Testing

/// Common accidents: an unmounted disk, missing keys, a book in a synced folder.
struct FallsTests {
  private static let home = Path("/home/ada")
  private static let book = home / ".local" / "share" / "daybook" / "default"

  private func stage(_ titles: String...) -> Stage {
    let stage = Stage(witness: Self.home / ".local" / "state" / "daybook")
    for title in titles { _ = stage.answer("add", "todo", title) }
    return stage
  }

  private func remove(_ stage: Stage, below folder: Path) throws {
    for file in stage.machine.disk.files.keys where file.names(below: folder) != nil {
      try stage.disk.remove(file)
    }
  }

  // MARK: Empty folders

  @Test(arguments: [["sync", "stick"], ["sync"], ["sync", "/home/ada/stick"]])
  func `Remembered folder: an empty folder is refused if it was synced before`(
    words: [String]
  ) throws {
    let stage = stage("one")
    try stage.disk.makeDirectories(Self.home / "stick")
    _ = stage.answer("peer", "add", "stick", "/home/ada/stick")
    _ = stage.answer("sync", "stick")
    let stick = Self.home / "stick"
    try remove(stage, below: stick)
    for book in try stage.disk.list(stick) {
      for replica in try stage.disk.list(stick / book) {
        try stage.disk.removeDirectory(stick / book / replica)
      }
      try stage.disk.removeDirectory(stick / book)
    }
    let outcome = stage.run(words)
    #expect(outcome.code != .done)
    #expect(
      outcome.error.contains(
        "/home/ada/stick contains no book, although this book was synced with it on "))
    #expect(try stage.disk.list(stick) == [])
    _ = stage.answer("peer", "forget", "stick")
    _ = stage.answer("peer", "add", "stick", "/home/ada/stick")
    #expect(stage.answer("sync", "stick").hasPrefix("Sent 2 events of laptop"))
  }

  // MARK: Keys

  @Test func `Missing keys: status, verify, doctor and each write report them`() throws {
    let stage = stage("one")
    try remove(stage, below: Self.book / "keys")
    for words in [["status"], ["verify"], ["doctor"]] {
      let outcome = stage.run(words)
      #expect(outcome.code == .dataFault, "\(words)")
      #expect(
        (outcome.error + outcome.output).contains(
          ".pem is missing, so nothing can be written; restore it from a backup. "), "\(words)")
    }
    let write = stage.run("add", "todo", "two")
    #expect(write.code == .dataFault)
    #expect(write.error.contains("'daybook doctor' explains how to continue."))
  }

  @Test(arguments: [["sync", "stick"], ["bundle", "b"]])
  func `Missing keys: unsigned events are reported as not sent`(
    words: [String]
  ) throws {
    let stage = stage("one", "two")
    try stage.disk.makeDirectories(Self.home / "stick")
    try remove(stage, below: Self.book / "keys")
    let outcome = stage.run(words)
    #expect(outcome.code == .dataFault)
    #expect(
      outcome.error.hasPrefix(
        "daybook: 3 events of laptop were not \(words[0] == "sync" ? "sent" : "written"), "))
    #expect(outcome.error.contains("Restore "))
  }

  // MARK: Copied folders

  @Test(arguments: [[".dropbox"], [".nextcloudsync.log"], [".owncloudsync.log"]])
  func `Copied folder: status and verify report a book in a synced folder`(marker: [String]) throws
  {
    let stage = stage("one")
    #expect(stage.run("status").error == "")
    try stage.disk.replace(Self.home / marker[0], with: [1])
    for words in [["status"], ["verify"]] {
      let outcome = stage.run(words)
      #expect(outcome.error.contains(" copies /home/ada, and the book in it, to other machines."))
    }
  }

  // MARK: Copies of files

  @Test func `Conflicted copy: a copy of a file among the logs restores lost events`() throws {
    let stage = stage("one")
    let logs = Self.book / "logs"
    let log = logs / (try #require(try stage.disk.list(logs).first))
    let tail = log / (try #require(try stage.disk.list(log).first))
    let older = try stage.disk.contents(of: tail, limit: 1 << 20)
    _ = stage.answer("add", "todo", "two")
    let newer = try stage.disk.contents(of: tail, limit: 1 << 20)
    let copy = log / "000000000001 (conflicted copy 2026-11-26).gz"
    try stage.disk.replace(copy, with: newer)
    try stage.disk.replace(tail, with: older)
    let before = stage.run("verify")
    #expect(before.code == .dataFault)
    #expect(
      before.output.contains(
        "run 'daybook verify --repair FILE' to restore missing events from it, and then move it away"
      ))
    let outcome = stage.run("verify", "--repair", copy.string)
    #expect(outcome.output.hasPrefix("Healed: event 3 of laptop.\n"))
    #expect(stage.answer("list", "todos").contains("two"))
    try stage.disk.remove(copy)
    #expect(stage.answer("verify").hasPrefix("No faults found: "))
  }

  @Test func `Folder backup: a backup restores lost events of the same book only`() throws {
    let stage = stage("one", "two")
    let backup = Self.home / "backup"
    for (path, bytes) in stage.machine.disk.files {
      guard let names = path.names(below: Self.book) else { continue }
      let place = names.reduce(backup) { $0 / $1 }
      try stage.disk.makeDirectories(place.parent)
      try stage.disk.replace(place, with: bytes)
    }
    try remove(stage, below: Self.book / "logs")
    let outcome = stage.run("verify", "--repair", backup.string)
    #expect(outcome.output.hasPrefix("Healed: events 1 to 3 of laptop.\n"))
    #expect(outcome.code == .done)
    #expect(stage.answer("list", "todos").contains("two"))
    _ = stage.answer("-C", "other", "add", "todo", "mine")
    let logs = Self.home / "other" / "logs"
    for file in stage.machine.disk.files.keys where file.names(below: logs) != nil {
      try stage.disk.remove(file)
    }
    let refused = stage.run("-C", "other", "verify", "--repair", backup.string)
    #expect(refused.code != .done)
    #expect(!stage.run("-C", "other", "list", "todos").output.contains("two"))
  }
}
