import Platform
import SimulatedPlatform
import TestDice

/// Forwards bytes between callers and one listener, and applies faults to them.
///
/// It never blocks. Each call does a little work.
final class ChaosRelay {
  static let host = "relay"
  static let port: UInt16 = 9

  private let network: SimulatedNetwork
  private let door: any Listener
  private var dice: TestDice.Dice
  private var links: [Link] = []
  /// The faults of the next line.
  var next: () -> Chaos = { .none }
  /// The port that the relay dials for each caller.
  var target: UInt16 = 0
  /// The number of lines so far.
  private(set) var count = 0

  /// One line, in both directions.
  private struct Link {
    var there: ChaosStream
    var back: ChaosStream
  }

  init(on network: SimulatedNetwork, dice: TestDice.Dice) throws(NetworkError) {
    (self.network, self.dice) = (network, dice)
    door = try network.listen(host: Self.host, port: Self.port)
  }

  /// Whether all lines have ended.
  var isIdle: Bool { links.isEmpty }

  /// The number of bytes that each side sent over the last line.
  private(set) var said = (there: 0, back: 0)

  /// Forwards a little on each line, and returns whether anything moved or could have moved.
  func step(at now: Int64) throws(NetworkError) -> Bool {
    var hasMoved = false
    while let caller = try door.accept(patienceMilliseconds: 0) {
      try begin(caller)
      hasMoved = true
    }
    for place in links.indices {
      let isThereFirst = dice.chance(50)
      for isThere in [isThereFirst, !isThereFirst] {
        let way = isThere ? \Link.there : \Link.back
        if links[place][keyPath: way].step(at: now, &dice) { hasMoved = true }
      }
      said = (links[place].there.taken, links[place].back.taken)
    }
    links.removeAll { $0.there.isOver && $0.back.isOver }
    return hasMoved
  }

  private func begin(_ caller: any Line) throws(NetworkError) {
    count += 1
    let chaos = next()
    do throws(NetworkError) {
      let far = try network.dial(host: "here", port: target, patienceMilliseconds: 0)
      links.append(
        Link(
          there: ChaosStream(from: caller, to: far, chaos.there),
          back: ChaosStream(from: far, to: caller, chaos.back)))
    } catch {
      caller.close()
    }
  }
}

/// One direction of a line.
private struct ChaosStream {
  private let source: any Line
  private let sink: any Line
  private var mischief: Mischief
  private var waiting: [UInt8] = []
  /// The number of sent bytes that were processed.
  private var passed = 0
  /// The last bytes that were forwarded.
  private var latest: [UInt8] = []
  private var restsUntil = Int64.min
  private var hasSourceEnded = false
  /// The number of bytes that were received.
  private(set) var taken = 0
  private(set) var isOver = false

  init(from source: any Line, to sink: any Line, _ mischief: Mischief) {
    (self.source, self.sink, self.mischief) = (source, sink, mischief)
  }

  mutating func step(at now: Int64, _ dice: inout TestDice.Dice) -> Bool {
    do throws(NetworkError) {
      try take()
      guard !isOver, now >= restsUntil else { return false }
      if !waiting.isEmpty, dice.chance(mischief.stillness) { return true }
      if let step = mischief.steps.first, step.offset <= passed, isPossible(step.deed) {
        mischief.steps.removeFirst()
        try perform(step.deed, at: now)
        return true
      }
      return try handOn(&dice)
    } catch {
      // One end has closed, so close the other.
      isOver = true
      end(.closed)
      return true
    }
  }

  private mutating func take() throws(NetworkError) {
    guard !hasSourceEnded else { return }
    do throws(NetworkError) {
      let bytes = try source.receive(upTo: 1 << 16, patienceMilliseconds: 0)
      hasSourceEnded = bytes.isEmpty
      taken += bytes.count
      // Bytes are received even when no caller reads them, so that the sender does not wait for buffer space.
      if !isOver { waiting += bytes }
    } catch .timedOut {
      return
    } catch {
      hasSourceEnded = true
      throw error
    }
  }

  /// Whether there are bytes to which the fault can be applied.
  private func isPossible(_ deed: Mischief.Deed) -> Bool {
    switch deed {
    case .flip, .drop: !waiting.isEmpty
    case .insert, .again, .rest, .end: true
    }
  }

  private mutating func perform(_ deed: Mischief.Deed, at now: Int64) throws(NetworkError) {
    switch deed {
    case .flip(let bits): waiting[0] ^= bits
    case .insert(let bytes): try sink.send(bytes, patienceMilliseconds: 0)
    case .again(let count): try sink.send(latest.suffix(count), patienceMilliseconds: 0)
    case .drop(let count):
      passed += min(count, waiting.count)
      waiting.removeFirst(min(count, waiting.count))
    case .rest(let milliseconds): restsUntil = now + milliseconds
    case .end(let way):
      isOver = true
      end(way)
    }
  }

  private mutating func handOn(_ dice: inout TestDice.Dice) throws(NetworkError) -> Bool {
    guard !waiting.isEmpty else {
      if hasSourceEnded {
        isOver = true
        end(.halfClosed)
      }
      return hasSourceEnded
    }
    var count = waiting.count
    switch mischief.pieces {
    case .whole: break
    case .single: count = 1
    case .random(let most): count = min(count, 1 + dice.number(most))
    }
    if let next = mischief.steps.first?.offset { count = min(count, max(1, next - passed)) }
    let given = try sink.offer(waiting.prefix(count))
    latest = Array((latest + waiting.prefix(given)).suffix(4_096))
    waiting.removeFirst(given)
    passed += given
    return given > 0
  }

  private func end(_ way: Mischief.End) {
    switch way {
    case .closed:
      source.close()
      sink.close()
    case .reset:
      for case let line as SimulatedLine in [source, sink] { line.cut() }
    case .halfClosed: (sink as? SimulatedLine)?.endSending()
    }
  }
}
