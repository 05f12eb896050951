import Foundation
import Glibc
import Platform
import Testing

@testable import PosixPlatform

/// A folder that confines all paths.
struct ConfinementTests {
  /// A folder with a secret file next to it, and a disk that is confined to the folder.
  private func trying(
    _ way: Confinement.Way,
    _ body: (_ disk: any Disk, _ folder: Path, _ outside: Path) throws -> Void
  ) throws {
    try Make.posix.trying { disk, home in
      let (folder, outside) = (home / "folder", home / "outside")
      try disk.makeDirectories(folder / "deep" / "deeper")
      try disk.makeDirectory(outside)
      try disk.put(outside / "secret", [7])
      try disk.put(folder / "deep" / "deeper" / "file", [1, 2])
      try body(PosixDisk(Confinement(to: folder, by: way)), folder, outside)
      // Regardless of what the test does, nothing outside the folder is changed.
      #expect(try disk.list(outside) == ["secret"])
      #expect(try disk.get(outside / "secret") == [7])
    }
  }

  private func link(_ path: Path, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: path.string, withDestinationPath: target)
  }

  @Test(arguments: [
    (0o700, 0o600, 0o700), (0o755, 0o600, 0o700), (0o775, 0o660, 0o770), (0o777, 0o666, 0o777),
  ])
  func `Confined disk: new files and folders derive their permissions from the folder's`(
    folderMode: Int, fileMode: Int, innerMode: Int
  ) throws {
    try Make.posix.trying { disk, home in
      let folder = home / "shared"
      try disk.makeDirectory(folder)
      try #require(unsafe chmod(folder.string, mode_t(folderMode)) == 0)
      let confined = disk.confined(to: folder)
      try confined.makeDirectories(folder / "deep" / "deeper")
      try confined.replace(folder / "deep" / "file", with: [1])
      let found = try ["deep", "deep/deeper", "deep/file"].map { name in
        let path = name.split(separator: "/").reduce(folder) { $0 / String($1) }
        return Int(try #require(try disk.status(path)).permissions)
      }
      #expect(found == [innerMode, innerMode, fileMode])
    }
  }

  @Test(arguments: Confinement.Way.allCases)
  func `Confined disk: the folder's contents are read and changed as usual`(
    way: Confinement.Way
  ) throws {
    try trying(way) { disk, folder, _ in
      let deeper = folder / "deep" / "deeper"
      #expect(try disk.list(folder) == ["deep"])
      #expect(try disk.get(deeper / "file") == [1, 2])
      #expect(try disk.status(folder)?.kind == .directory)
      #expect(try disk.status(deeper / "file")?.size == 2)
      #expect(try disk.status(folder / "nothing") == nil)
      try disk.makeDirectories(folder / "a" / "b")
      try disk.replace(folder / "a" / "b" / "c", with: [3])
      try disk.rename(folder / "a" / "b" / "c", to: deeper / "d")
      #expect(try disk.list(deeper) == ["d", "file"])
      #expect(try disk.list(deeper, atMost: 2) == ["d", "file"])
      #expect(try disk.list(deeper, atMost: 1) == nil)
      try disk.remove(deeper / "d")
      try disk.removeDirectory(folder / "a" / "b")
      try disk.flushDirectory(folder / "a")
      #expect(try disk.list(folder / "a") == [])
    }
  }

  @Test(arguments: Confinement.Way.allCases)
  func `Confined disk: links are not followed`(way: Confinement.Way) throws {
    try trying(way) { disk, folder, outside in
      let links = [
        ("absolute", outside.string), ("relative", "../outside"), ("inner", "deep"),
        ("loop", "loop"),
      ]
      for (name, target) in links {
        let link = folder / name
        try self.link(link, to: target)
        #expect(try disk.status(link)?.kind == .other)
        for below in [link / "secret", link / "x" / "y"] {
          #expect(throws: DiskError(.status, below, .link)) { try disk.status(below) }
          #expect(throws: DiskError(.open, below, .link)) { try disk.open(below, .read) }
          #expect(throws: DiskError(.open, below, .link)) { try disk.open(below, .create) }
          #expect(throws: DiskError(.remove, below, .link)) { try disk.remove(below) }
          #expect(throws: DiskError(.makeDirectory, below, .link)) {
            try disk.makeDirectory(below)
          }
          #expect(throws: DiskError(.rename, below, .link)) {
            try disk.rename(below, to: folder / "stolen")
          }
          #expect(throws: DiskError(.lock, below, .link)) { try disk.lock(below) }
        }
        // The link itself is neither a folder nor a file.
        #expect(throws: DiskError.self) { try disk.list(link) }
        #expect(throws: DiskError(.open, link, .link)) { try disk.open(link, .read) }
        #expect(throws: DiskError(.makeDirectory, link, .link)) { try disk.makeDirectory(link) }
        #expect(throws: DiskError.self) { try disk.flushDirectory(link) }
        let file = folder / "deep" / "deeper" / "file"
        #expect(throws: DiskError(.rename, file, .link)) {
          try disk.rename(file, to: link / "taken")
        }
      }
    }
  }

  @Test(arguments: Confinement.Way.allCases)
  func `Confined disk: a path outside the folder is refused`(way: Confinement.Way) throws {
    try trying(way) { disk, folder, outside in
      let beside = Path(folder.string + "-beside")
      for path in [outside / "secret", Path(folder.string + "/../outside/secret"), beside] {
        #expect(throws: DiskError(.open, path, .outside)) { try disk.open(path, .read) }
        #expect(throws: DiskError(.status, path, .outside)) { try disk.status(path) }
        #expect(throws: DiskError(.list, path, .outside)) { try disk.list(path) }
      }
      let file = folder / "deep" / "deeper" / "file"
      #expect(throws: DiskError(.rename, file, .outside)) {
        try disk.rename(file, to: outside / "file")
      }
    }
  }

  @Test(arguments: Confinement.Way.allCases)
  func `Confined disk: opening a pipe is refused without waiting`(way: Confinement.Way) throws {
    try trying(way) { disk, folder, _ in
      let pipe = folder / "pipe"
      #expect(unsafe mkfifo(pipe.string, 0o600) == 0)
      let status = try disk.status(pipe)
      #expect(status?.kind == .other)
      #expect(throws: DiskError(.open, pipe, .invalid)) { try disk.open(pipe, .read) }
    }
  }

  @Test(arguments: Confinement.Way.allCases)
  func `Confined disk: a disk within another is confined to both folders`(
    way: Confinement.Way
  ) throws {
    try trying(way) { disk, folder, outside in
      let inner = disk.confined(to: folder / "deep")
      #expect(try inner.list(folder / "deep") == ["deeper"])
      #expect(throws: DiskError(.list, folder, .outside)) { try inner.list(folder) }
      try link(folder / "way", to: outside.string)
      #expect(throws: DiskError.self) { try disk.confined(to: folder / "way").list(folder / "way") }
    }
  }

  @Test(arguments: Confinement.Way.allCases)
  func `Confined disk: its own folder may be a link or missing`(
    way: Confinement.Way
  ) throws {
    try trying(way) { _, folder, outside in
      let chosen = folder / "chosen"
      let disk = PosixDisk(Confinement(to: chosen, by: way))
      #expect(try disk.status(chosen / "secret") == nil)
      #expect(throws: DiskError(.list, chosen, .notFound)) { try disk.list(chosen) }
      try link(chosen, to: outside.string)
      #expect(try disk.get(chosen / "secret") == [7])
    }
  }

  @Test func `Confined disk: without links, paths outside the folder are refused`() throws {
    try Make.simulated.trying { disk, home in
      try disk.makeDirectories(home / "folder")
      try disk.put(home / "secret", [7])
      let confined = disk.confined(to: home / "folder")
      try confined.put(home / "folder" / "file", [1])
      #expect(try confined.get(home / "folder" / "file") == [1])
      for path in [home / "secret", Path("/home/folder/../secret")] {
        #expect(throws: DiskError(.open, path, .outside)) { try confined.open(path, .read) }
      }
      #expect(throws: DiskError(.rename, home / "secret", .outside)) {
        try confined.rename(home / "secret", to: home / "folder" / "stolen")
      }
    }
  }
}
