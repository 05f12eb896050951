import Bytes
import Console
import Daybook
import Phrasing
import Platform
import SimulatedPlatform
import Testing

/// Folders that only the devices of a book can read.
struct SealedFolderTests: SealedFolderSuite {
  let stage: Stage

  /// Two devices of one book, and an empty folder.
  init() throws {
    stage = try Stage.pair()
    try stage.disk.makeDirectories(Self.cloud)
  }

  @Test func `Sealed folder: two devices find the same store, and change the same to-dos`() throws {
    #expect(
      stage.answer("peer", "add", "cloud", "cloud", "--sealed")
        == """
        cloud is a new sealed store in /home/ada/cloud. To sync with it, run 'daybook sync'.
        Only devices of this book can open it, so keep a second device, or a copy of the book's folder, whose path 'daybook where' shows.

        """)
    #expect(stage.answer("sync", "cloud").hasPrefix("Sent "))
    let found = stage.run(Self.phone + ["peer", "add", "cloud", "cloud", "--sealed"])
    #expect(
      found.output
        == "cloud is the sealed store of this book in /home/ada/cloud. To sync with it, run 'daybook sync'.\n"
    )
    _ = stage.answer("add", "todo", "Mop")
    _ = stage.answer("sync", "cloud")
    _ = stage.run(Self.phone + ["sync", "cloud"])
    _ = stage.run(Self.phone + ["add", "todo", "Dust"])
    _ = stage.run(Self.phone + ["sync", "cloud"])
    _ = stage.answer("sync", "cloud")
    #expect(try titles() == ["Dust", "Mop", "Sweep"])
    #expect(try titles("-C", "phone") == ["Dust", "Mop", "Sweep"])
    #expect(Set(files.keys.map(\.parent)).count == 1)
  }

  @Test func `Sealed folder: no file has a frame, and neither names nor bytes an id of the book`()
    throws
  {
    seal()
    _ = stage.answer("sync", "stick")
    let devices = try stage.devices().compactMap { $0["replica"]?.string.flatMap(UniqueID.init) }
    #expect(devices.count == 2)
    let ids = devices + [try stage.book().id]
    /// The files with the beginning of a gzip member, or of an id.
    func leaks(_ files: [Path: [UInt8]]) -> Set<Path> {
      let parts = ids.map { Array($0.bytes.prefix(8)) } + [[0x1f, 0x8b, 0x08]]
      return Set(
        files.filter { path, bytes in
          ids.contains { path.string.contains($0.hex) }
            || bytes.indices.contains { start in
              parts.contains { bytes[start...].starts(with: $0) }
            }
        }.keys)
    }
    #expect(leaks(files) == [])
    // All files of a folder that is not sealed are found.
    let plain = files(in: Path("/home/ada/stick"))
    #expect(leaks(plain) == Set(plain.keys) && !plain.isEmpty)
    #expect(files.keys.allSatisfy { $0.name == "bell" || "elkp".contains($0.name.prefix(1)) })
  }

  @Test func `Sealed folder: its path alone never gets readable files`() throws {
    seal()
    let before = files.keys.sorted()
    _ = stage.answer("peer", "forget", "cloud")
    _ = stage.answer("add", "todo", "Mop")
    #expect(stage.answer("sync", "cloud").hasPrefix("Sent 1 event"))
    #expect(files.keys.allSatisfy { $0.parent == before.first?.parent })
    // The device of another book cannot open the store.
    _ = stage.run("-C", "other", "add", "todo", "Stranger")
    let refused = stage.run("-C", "other", "sync", "cloud")
    #expect(refused.code == .refused)
    #expect(
      refused.error.hasPrefix(
        "daybook: /home/ada/cloud contains a sealed store that this device cannot open. "))
    let added = stage.run("-C", "other", "peer", "add", "c", "cloud", "--sealed")
    #expect(added.code == .refused)
    #expect(
      added.error.hasPrefix(
        "daybook: /home/ada/cloud contains a sealed store that this device cannot open.\n"))
    // Both errors name the command that begins a store beside it.
    let values = ["NAME": "c", "DIR": "cloud"]
    for told in [refused, added] {
      try stage.follow("peer add", in: told, on: ["-C", "other"], filling: values)
    }
    #expect(stage.run("-C", "other", "sync").code == .done)
    #expect(Set(files.keys.map(\.parent)).count == 2)
    #expect(stage.run("sync", "cloud").code == .done)
  }

  @Test func `Sealed folder: joining through it takes an invitation, and the advice leads there`()
    throws
  {
    seal()
    let before = files
    let tablet = ["-C", "tablet"]
    let refused = stage.run(tablet + ["join", "cloud"])
    #expect(refused.code == .refused && refused.output == "")
    #expect(
      refused.error.hasPrefix(
        "daybook: /home/ada/cloud contains only sealed stores, whose keys only admitted devices receive, "
      ))
    #expect(files == before)
    try stage.follow("invite", in: refused, filling: ["NAME": "cloud"])
  }

  @Test(arguments: [["cloud"], ["./cloud"], ["/home/ada/./cloud/."]])
  func `Sealed folder: once a device has used it, it is never filled with readable files`(
    words: [String]
  ) throws {
    seal()
    // This device remembers the folder as a plain one would be, or not at all.
    _ = stage.run(Self.phone + ["peer", "forget", "cloud"])
    if words == ["cloud"] {
      #expect(
        stage.run(Self.phone + ["peer", "add", "drop", "cloud"]).output
          == "drop is /home/ada/cloud (sealed). 'daybook sync' syncs with it.\n")
    }
    #expect(stage.run(Self.phone + ["sync"] + words).code == .done)
    #expect(stage.run(Self.phone + ["peers"]).output.contains("/home/ada/cloud (sealed)  synced "))
    try stage.disk.rename(Self.cloud, to: Path("/home/ada/drawer"))
    try stage.disk.makeDirectories(Self.cloud)
    #expect(stage.run(Self.phone + ["sync"] + words).code == .refused)
    #expect(files == [:])
  }

  @Test func `Sealed folder: two stores of one book become one`() throws {
    // Both devices begin a store before the files of the other arrive.
    try stage.disk.makeDirectories(Path("/home/ada/other"))
    #expect(stage.run("peer", "add", "cloud", "cloud", "--sealed").code == .done)
    #expect(stage.run(Self.phone + ["peer", "add", "cloud", "other", "--sealed"]).code == .done)
    _ = stage.run(Self.phone + ["sync"])
    for path in stage.machine.disk.files.keys {
      guard let names = path.names(below: Path("/home/ada/other")) else { continue }
      let copy = Self.cloud / names[0] / names[1]
      try stage.disk.makeDirectories(copy.parent)
      try stage.disk.replace(copy, with: stage.machine.disk.contents(of: path, limit: 1 << 24))
    }
    _ = stage.run(Self.phone + ["peer", "forget", "cloud"])
    _ = stage.run(Self.phone + ["peer", "add", "cloud", "cloud", "--sealed"])
    _ = stage.answer("add", "todo", "Mop")
    for _ in 0..<2 {
      #expect(stage.run("sync", "cloud").code == .done)
      #expect(stage.run(Self.phone + ["sync", "cloud"]).code == .done)
    }
    #expect(try titles("-C", "phone") == ["Mop", "Sweep"])
    #expect(try titles() == ["Mop", "Sweep"])
  }

  @Test func `Sealed folder: a store directory in capitals is the same store`() throws {
    seal()
    let lower = try #require(files.keys.first?.parent)
    try stage.disk.rename(lower, to: lower.parent / lower.name.uppercased())
    _ = stage.answer("add", "todo", "Mop")
    #expect(stage.answer("sync", "cloud").hasPrefix("Sent 1 event"))
    #expect(Set(files.keys.map(\.parent.name)) == [lower.name.uppercased()])
  }

  @Test func `Sealed folder: a file among the replicas of a book does not make it a store`() throws
  {
    let name = "k-" + String(repeating: "0", count: 32)
    let stick = Path("/home/ada/stick")
    let book = try #require(
      stage.machine.disk.files.keys.compactMap { $0.names(below: stick) }.first?.first)
    try stage.disk.replace(stick / book / name, with: [])
    _ = stage.answer("add", "todo", "Mop")
    #expect(stage.answer("sync", "stick").hasPrefix("Sent 1 event"))
  }

  @Test func `Sealed folder: the store of a former book is refused`() throws {
    seal()
    _ = stage.run("-C", "other", "add", "todo", "Elsewhere")
    try stage.disk.makeDirectories(Path("/home/ada/second"))
    _ = stage.run("-C", "other", "sync", "second")
    #expect(stage.run(Self.phone + ["join", "second", "--yes"]).code == .done)
    let before = files
    let told = stage.run(Self.phone + ["sync", "cloud"])
    #expect(told.code == .refused)
    #expect(
      told.error.hasPrefix(
        "daybook: the sealed store in /home/ada/cloud belongs to the former book of this device.\n")
    )
    #expect(files == before)
    // Only an admitted device begins a store.
    _ = stage.run("-C", "other", "sync", "second", "--admit")
    _ = stage.run(Self.phone + ["sync", "second"])
    let values = ["NAME": "cloud", "DIR": "cloud"]
    try stage.follow("peer add", in: told, on: Self.phone, filling: values)
    #expect(stage.run(Self.phone + ["sync", "cloud"]).code == .done)
    #expect(Set(files.keys.map(\.parent)).count == 2)
  }

  @Test func `Sealed folder: a folder with readable files of the book is refused`() throws {
    let refused = stage.run("peer", "add", "st", "stick", "--sealed")
    #expect(refused.code == .refused)
    #expect(
      refused.error.hasPrefix(
        "daybook: /home/ada/stick already contains readable files of this book, "))
    #expect(stage.answer("peers") == "")
    let machine = stage.run("peer", "add", "m", "tcp://127.0.0.1:1", "--sealed")
    #expect(machine.code == .refused && machine.error.contains("Only a folder can be sealed."))
    #expect(stage.run("peer", "add", "c", "cloud", "--new").code == .usage)
  }

  @Test func `Sealed folder: an emptied one is not filled, and the advice seals it again`() throws {
    seal()
    try stage.disk.rename(Self.cloud, to: Path("/home/ada/drawer"))
    try stage.disk.makeDirectories(Self.cloud)
    let emptied = stage.run("sync", "cloud")
    #expect(emptied.code == .refused)
    #expect(files == [:])
    try stage.follow("peer forget", in: emptied)
    try stage.follow("peer add", in: emptied)
    #expect(stage.answer("peers").hasPrefix("cloud  /home/ada/cloud (sealed)"))
    #expect(stage.answer("sync", "cloud").hasPrefix("Sent "))
  }

  @Test func `Sealed folder: a device that is not admitted writes nothing and says so`() throws {
    seal()
    _ = stage.run("-C", "tablet", "join", "stick")
    let before = files
    let told = stage.run("-C", "tablet", "peer", "add", "cloud", "cloud", "--sealed", "--new")
    #expect(told.code == .refused && told.output == "")
    #expect(told.error.contains("this device is not admitted, or was revoked"))
    #expect(!stage.run("-C", "tablet", "peers").output.contains("cloud"))
    #expect(files == before)
  }

  @Test func `Sealed folder: a dry run shows what it would send, and writes nothing`() throws {
    seal()
    _ = stage.answer("add", "todo", "Mop")
    let before = files
    #expect(stage.answer("sync", "cloud", "--dry-run").hasPrefix("Would send 1 event"))
    #expect(files == before)
    let explained = stage.answer("sync", "cloud", "--explain")
    #expect(explained.contains("  4 to there\n"))
  }
}
