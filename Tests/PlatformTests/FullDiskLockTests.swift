import Glibc
import Platform
import SimulatedPlatform
import Testing

@testable import PosixPlatform

/// A lock is taken on a disk that has no room to say by whom.
@Suite struct FullDiskLockTests {
  /// Makes a file in memory that holds these bytes and cannot grow.
  private func fullFile(_ bytes: [UInt8]) throws -> Int32 {
    typealias MakeFile = @convention(c) (UnsafePointer<CChar>, UInt32) -> Int32
    // Declared for GNU sources only, and so are these: it may be sealed, and it is, against growing.
    let symbol = unsafe try #require(dlsym(nil, "memfd_create"))
    let descriptor = unsafe unsafeBitCast(symbol, to: MakeFile.self)("lock", 2)
    try #require(descriptor >= 0)
    try writeFully(descriptor, bytes, at: 0)
    try #require(fcntl(descriptor, 1_033, 4) == 0)
    return descriptor
  }

  @Test func `a lock is held though nobody's name fits into its file`() throws {
    let descriptor = try fullFile([])
    #expect(try takeLock(descriptor) == [])
    #expect(try readFully(descriptor, at: 0, count: 64) == [])
    _ = close(descriptor)
  }

  @Test func `who held the lock before is not taken for who holds it`() throws {
    // One byte is too little for a process number and a line feed.
    let descriptor = try fullFile([0x37])
    #expect(try takeLock(descriptor) == [0x37])
    #expect(try readFully(descriptor, at: 0, count: 64) == [])
    _ = close(descriptor)
  }

  @Test func `a lock is signed in the room that its last holder's name took`() throws {
    let descriptor = try fullFile(Array("123456789012\n".utf8))
    #expect(try takeLock(descriptor) == Array("123456789012\n".utf8))
    #expect(try readFully(descriptor, at: 0, count: 64) == Array("\(getpid())\n".utf8))
    _ = close(descriptor)
  }

  @Test func `the simulated disk gives a lock when it is full, too`() throws {
    let disk = SimulatedMachine(seed: 1).disk
    let (empty, signed) = (Path("/empty"), Path("/signed"))
    try disk.put(empty, [])
    try disk.put(signed, Array("1234\n".utf8))
    disk.becomeFull(afterBytes: 0)
    #expect(try disk.lock(signed) != nil)
    #expect(disk.files[signed] == Array("1\n".utf8))
    disk.becomeFull(afterBytes: 0)
    #expect(try disk.lock(empty) != nil)
    #expect(try disk.lock(empty) == nil)
    #expect(disk.files[empty] == [])
  }
}
