import Glibc
import Platform
import SimulatedPlatform
import Testing

@testable import PosixPlatform

/// Locks on a disk without space for the holder's signature.
@Suite struct FullDiskLockTests {
  /// Creates a file in memory that contains the given bytes and cannot grow.
  private func fullFile(_ bytes: [UInt8]) throws -> Int32 {
    typealias MakeFile = @convention(c) (UnsafePointer<CChar>, UInt32) -> Int32
    // glibc declares memfd_create and its constants for GNU sources only. The file is sealed against growing.
    let symbol = unsafe try #require(dlsym(nil, "memfd_create"))
    let descriptor = unsafe unsafeBitCast(symbol, to: MakeFile.self)("lock", 2)
    try #require(descriptor >= 0)
    try writeFully(descriptor, bytes, at: 0)
    try #require(fcntl(descriptor, 1_033, 4) == 0)
    return descriptor
  }

  @Test func `Full disk: a lock is taken without a signature`() throws {
    let descriptor = try fullFile([])
    #expect(try takeLock(descriptor) == [])
    #expect(try readFully(descriptor, at: 0, count: 64) == [])
    _ = close(descriptor)
  }

  @Test func `Full disk: the signature of the previous holder is removed`() throws {
    // One byte is not enough for a process number and a line feed.
    let descriptor = try fullFile([0x37])
    #expect(try takeLock(descriptor) == [0x37])
    #expect(try readFully(descriptor, at: 0, count: 64) == [])
    _ = close(descriptor)
  }

  @Test func `Full disk: a lock is signed in the space of the previous signature`() throws {
    let descriptor = try fullFile(Array("123456789012\n".utf8))
    #expect(try takeLock(descriptor) == Array("123456789012\n".utf8))
    #expect(try readFully(descriptor, at: 0, count: 64) == Array("\(getpid())\n".utf8))
    _ = close(descriptor)
  }

  @Test func `Full disk: the simulated disk also grants a lock`() throws {
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
