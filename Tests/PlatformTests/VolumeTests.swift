import Foundation
import Platform
import PosixPlatform
import SimulatedPlatform
import Testing

@Suite struct `The contract of volumes` {
  @Test(arguments: Make.allCases)
  func `Volume: a disk reports its free space`(make: Make) throws {
    try make.trying { disk, home in
      let volume = try #require(try disk.volume(of: home))
      #expect(volume.freeBytes > 0)
      #expect(!volume.isRemote)
      #expect(throws: DiskError(.volume, home / "missing", .notFound)) {
        try disk.volume(of: home / "missing")
      }
    }
  }

  @Test(arguments: Make.allCases)
  func `Volume: a new file belongs to its creator`(make: Make) throws {
    try make.trying { disk, home in
      try disk.put(home / "a", [1])
      #expect(try disk.status(home / "a")?.isOwn == true)
    }
  }

  @Test func `Volume: a simulated disk has the space that it was given`() throws {
    let disk = SimulatedMachine(seed: 1).disk
    try disk.put(Path("/a"), [1, 2, 3])
    #expect(try disk.volume(of: Path("/")) == Volume(freeBytes: .max, isRemote: false))
    disk.becomeFull(afterBytes: 10)
    try disk.put(Path("/b"), [1, 2, 3])
    #expect(try disk.volume(of: Path("/")) == Volume(freeBytes: 7, isRemote: false))
  }

  @Test(arguments: Make.allCases, [false, true])
  func `Volume: a folder that the user owns refuses no changes`(
    make: Make, isConfined: Bool
  ) throws {
    try make.trying { disk, home in
      let part = isConfined ? disk.confined(to: home) : disk
      let refusal = try part.refusal(ofChangesIn: home)
      #expect(refusal == nil)
      #expect(throws: DiskError(.status, home / "missing", .notFound)) {
        try part.refusal(ofChangesIn: home / "missing")
      }
      #expect(try disk.list(home) == [])
    }
  }

  @Test func `Volume: a folder without write permission refuses changes by all but root`() throws {
    try Make.posix.trying { disk, home in
      let isRoot = try #require(try PosixDisk().status(Path("/root"))).isOwn
      let files = FileManager.default
      try files.setAttributes([.posixPermissions: 0o555], ofItemAtPath: home.string)
      #expect(try disk.refusal(ofChangesIn: home) == (isRoot ? nil : .permission))
      try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: home.string)
    }
  }

  @Test func `Volume: a read-only disk refuses changes`() throws {
    let disk = SimulatedMachine(seed: 1).disk
    disk.becomeReadOnly()
    #expect(try disk.refusal(ofChangesIn: Path("/")) == .readOnly)
  }

  @Test func `Volume: files of the first process belong to the user only if it is root`() throws {
    let status = try #require(try PosixDisk().status(Path("/proc/1")))
    let own = try #require(try PosixDisk().status(Path("/proc/self/fd")))
    #expect(own.isOwn)
    // The first process belongs to root, so its files belong to the user only if the user is root.
    let isRoot = try #require(try PosixDisk().status(Path("/root"))).isOwn
    #expect(status.isOwn == isRoot)
  }
}
