import Bytes
import Platform
import PosixPlatform
import SimulatedPlatform
import Testing

@testable import Journaling

/// Decoded frames are reused as long as their bytes have not changed.
struct FrameCacheTests {
  private func frames(_ bench: Bench) throws -> [[UInt8]] {
    var journal = try bench.begun()
    for number in 1...3 as ClosedRange<UInt64> {
      _ = try journal.append([Bench.command(number, events: 3)], to: bench.log, keys: bench.keys)
      try journal.seal(bench.log, keys: bench.keys)
    }
    return try journal.exported(bench.log, keys: bench.keys)
  }

  @Test func `Frame cache: a frame is found only if all of its bytes match`() throws {
    let bench = try Bench()
    let frames = try frames(bench)
    var chain = Chain()
    var known = FrameCache()
    for frame in frames {
      #expect(known.frame(in: frame, at: 0) == nil)
      known.keep(try Frame.decode(frame.span, at: 0, &chain), of: frame)
    }
    let file = Array(frames.joined())
    var offset = 0
    for frame in frames {
      let found = try #require(known.frame(in: file, at: offset))
      let read = try Frame.decode(file.span, at: offset, &chain)
      #expect(found.content == read.content && found.information == read.information)
      #expect(found.events.map(\.hash) == read.events.map(\.hash) && found.head == read.head)
      offset += frame.count
    }
    for place in frames[1].indices {
      var other = frames[1]
      other[place] ^= 1
      #expect(known.frame(in: other, at: 0) == nil)
      #expect(known.frame(in: Array(other[..<place]), at: 0) == nil)
    }
  }

  @Test(arguments: [nil, false, true] as [Bool?])
  func `Prefetching: prefetched frames are stored and read like other frames`(
    isBeside: Bool?
  ) throws {
    let bench = try Bench()
    let frames = try frames(bench)
    let other = try Bench(keySeed: 40)
    var receiver = try other.begun()
    var prefetched = FramePrefetcher(beside: SystemThread.start)
    for frame in frames { _ = prefetched.add(frame, holding: 100) }
    if isBeside == false { for frame in frames { receiver.prefetch(frame) } }
    for (number, frame) in frames.enumerated() {
      let read = isBeside == true ? prefetched.take(number) : nil
      #expect((read != nil) == (isBeside == true))
      try receiver.receive(frame, of: bench.log, on: .logs, prefetched: read)
    }
    _ = try receiver.commit()
    let journal = try bench.journal()
    let (sent, held) = (
      try journal.contents(of: bench.log), try receiver.contents(of: bench.log)
    )
    #expect(held.events == sent.events && held.damage == [])
  }

  private static let ways: [(name: String, beside: Machine.Beside)] = [
    ("at once", { $0() }), ("never", { _ in }), ("beside", SystemThread.start),
  ]

  @Test(arguments: ways.indices)
  func `Prefetching: each frame yields its own content, even among invalid and skipped ones`(
    way: Int
  ) throws {
    let frames = try frames(try Bench())
    var prefetched = FramePrefetcher(beside: Self.ways[way].beside)
    var chain = Chain()
    for round in 0..<20 {
      let numbers = (frames + [[1, 2, 3]]).map { prefetched.add($0, holding: 1 << 20) }
      #expect(numbers == Array(4 * round..<4 * round + 4))
      for (number, frame) in zip(numbers, frames).dropFirst(round % 2) {
        let read = try Frame.decode(frame.span, at: 0, &chain)
        let taken = prefetched.take(number)
        #expect(taken?.content == read.content && taken?.head == read.head)
      }
      if round.isMultiple(of: 3) { #expect(prefetched.take(numbers[3]) == nil) }
    }
  }

  @Test func `Prefetching: it reads ahead only as far as its memory limit allows`() throws {
    let frame = try frames(try Bench())[0]
    var prefetched = FramePrefetcher(beside: { _ in })
    for _ in 0..<8 { _ = prefetched.add(frame, holding: 2 << 20) }
    #expect(prefetched.end == 3)
    _ = prefetched.take(1)
    #expect(prefetched.end == 5)
    _ = prefetched.add(frame, holding: 100 << 20)
    for (number, end) in [(4, 8), (7, 9), (8, 9)] {
      _ = prefetched.take(number)
      #expect(prefetched.end == end)
    }
    for _ in 0..<8 { _ = prefetched.add(frame, holding: 2 << 20) }
    #expect(prefetched.end == 12)
    _ = prefetched.take(14)
    #expect(prefetched.end == 17)
    for _ in 0..<8 { _ = prefetched.add(frame, holding: 2 << 20) }
    #expect(prefetched.end == 18)
  }

  @Test func `Frame cache: damage on the disk is reported although the frame was cached`() throws {
    let bench = try Bench()
    let frames = try frames(bench)
    let other = try Bench(keySeed: 40)
    var receiver = try other.begun()
    for frame in frames { try receiver.receive(frame, of: bench.log, on: .logs) }
    _ = try receiver.commit()
    let disk = other.machine.disk
    let folder = Bench.folder / "logs" / bench.log.hex
    let name = try #require(try disk.list(folder).last)
    var bytes = try disk.contents(of: folder / name, limit: 1 << 20)
    bytes[bytes.count - 12] ^= 1
    try disk.replace(folder / name, with: bytes)
    #expect(try receiver.contents(of: bench.log).damage != [])
  }
}
