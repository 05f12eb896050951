import Console
import Phrasing
import Platform
import SimulatedPlatform
import Testing

/// What `doctor` says about the folders through which a device syncs.
struct FolderHealthTests: SealedFolderSuite {
  let stage: Stage

  init() throws {
    stage = try Stage.pair()
    try stage.disk.makeDirectories(Self.cloud)
  }

  /// The lines about folders, without the columns' spaces.
  private func lines(_ words: String...) -> [String] {
    stage.run(words + ["doctor"]).output.split(separator: "\n").map { line in
      line.split(separator: " ").joined(separator: " ")
    }.filter { $0.contains(" folders ") || $0.contains(" unopened ") }
  }

  private func empty(_ folder: Path) throws {
    for name in try stage.disk.list(folder) {
      let path = folder / name
      if try stage.disk.status(path)?.kind == .directory {
        try empty(path)
        try stage.disk.removeDirectory(path)
      } else {
        try stage.disk.remove(path)
      }
    }
  }

  @Test(arguments: [false, true])
  func `Doctor: a remembered folder that is missing, empty or new is reported`(
    isSealed: Bool
  ) throws {
    let option = isSealed ? ["--sealed"] : []
    for peer in ["stick"] { _ = stage.run("peer", "forget", peer) }
    #expect(lines() == [])
    _ = stage.run(["peer", "add", "cloud", "cloud"] + option)
    let lacking =
      "note folders cloud: /home/ada/cloud contains nothing of this book; 'daybook sync cloud' writes the book there"
    let whole = "ok folders cloud contains this book, and this device can write into it"
    // A sealed store is founded when it is added.
    #expect(lines() == [isSealed ? whole : lacking])
    _ = stage.answer("sync", "cloud")
    let before = files
    #expect(lines() == [whole])
    #expect(files == before)
    try stage.disk.rename(Self.cloud, to: Path("/home/ada/drawer"))
    #expect(
      lines() == [
        "note folders cloud: /home/ada/cloud is not available; plug it in or mount it, "
          + "or run 'daybook peer forget cloud' if it is gone for good"
      ])
    #expect(stage.run("doctor").code == .done)
    try stage.disk.rename(Path("/home/ada/drawer"), to: Self.cloud)
    try empty(Self.cloud)
    let emptied = try #require(lines().first)
    #expect(
      emptied.hasPrefix(
        "problem folders cloud: /home/ada/cloud contains no book, although this book was synced with it on 2026-11-20; "
          + "mount its disk, or, if it was emptied on purpose, run 'daybook peer forget cloud', then "
          + "'daybook peer add cloud /home/ada/cloud\(isSealed ? " --sealed" : "")'"))
    #expect(stage.run("doctor").code == .refused)
    #expect(try stage.disk.list(Self.cloud) == [])
    #expect(stage.run("sync", "cloud").code == .refused)
  }

  @Test func `Doctor: objects that waited for a key are reported until they are read`() throws {
    seal()
    _ = stage.answer("keys", "rotate")
    _ = stage.answer("add", "todo", "Mop")
    let before = Set(files.keys)
    _ = stage.answer("sync", "cloud")
    let package = try #require(
      files.keys.first { !before.contains($0) && $0.name.hasPrefix("k-") })
    try stage.disk.remove(package)
    _ = stage.run(Self.phone + ["sync", "cloud"])
    let found = lines("-C", "phone").filter { $0.contains("unopened") }
    #expect(found.count == 1)
    #expect(
      found.first?.hasPrefix("note unopened cloud: 1 object was waiting for a key on 2026-11-20 ")
        == true)
    #expect(
      found.first?.hasSuffix(
        ", so this device could not read it; unless this device was revoked, it gets the key "
          + "once an admitted device that has the key has synced there, and this device then syncs again"
      ) == true, "\(found)")
    _ = stage.answer("sync", "cloud")
    _ = stage.run(Self.phone + ["sync", "cloud"])
    #expect(lines("-C", "phone").allSatisfy { !$0.contains("unopened") })
  }
}
