package import Platform
import Synchronization

/// A program on a simulated machine, which runs while its caller waits for it.
package protocol SimulatedProgram: Sendable {
  /// Does everything that is possible without waiting, and returns how the program has ended, or nil if it has not.
  func advance() -> ProgramEnd?
}

/// A program that has already ended.
package struct EndedProgram: SimulatedProgram {
  private let end: ProgramEnd

  package init(_ end: ProgramEnd) { self.end = end }

  package func advance() -> ProgramEnd? { end }
}

/// The line to a simulated program.
package final class SimulatedProgramLine: ProgramLine, Ready {
  private let near: SimulatedLine
  private let far: SimulatedLine
  private let program: any SimulatedProgram
  private let ended = Mutex<ProgramEnd?>(nil)

  /// The number of times that a waiting caller lets the program continue without receiving any bytes.
  private static let patience = 64

  init(_ near: SimulatedLine, _ far: SimulatedLine, _ program: any SimulatedProgram) {
    (self.near, self.far, self.program) = (near, far, program)
  }

  package var peer: String { near.peer }

  package func receive(
    upTo count: Int, patienceMilliseconds: Int
  ) throws(NetworkError) -> [UInt8] {
    var left = patienceMilliseconds > 0 ? Self.patience : 0
    while true {
      do throws(NetworkError) {
        return try near.receive(upTo: count, patienceMilliseconds: 0)
      } catch {
        guard error == .timedOut, left > 0 else { throw error }
      }
      left -= 1
      advance()
    }
  }

  package func send(_ bytes: [UInt8], patienceMilliseconds: Int) throws(NetworkError) {
    try near.send(bytes, patienceMilliseconds: patienceMilliseconds)
  }

  package func offer(_ bytes: ArraySlice<UInt8>) throws(NetworkError) -> Int {
    try near.offer(bytes)
  }

  package func close() {
    near.close()
    // The program notices the end of its input, and can now finish.
    for _ in 0..<Self.patience where !hasEnded { advance() }
  }

  package func end(patienceMilliseconds: Int) -> ProgramEnd? {
    advance()
    return ended.withLock { $0 }
  }

  private var hasEnded: Bool { ended.withLock { $0 != nil } }

  var readiness: Interest {
    advance()
    return near.readiness
  }

  /// Lets the program continue.
  ///
  /// When the program ends, its end of the line is closed.
  private func advance() {
    guard !hasEnded, let end = program.advance() else { return }
    ended.withLock { $0 = end }
    far.close()
  }
}
