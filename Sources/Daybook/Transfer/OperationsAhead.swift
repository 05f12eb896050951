import Domain
import Interchange
import Platform

/// Operations that are read ahead, on another thread if the machine has threads.
///
/// Reading a line takes about as long as deciding its operation, and does not need the book.
struct OperationsAhead: ImportSource {
  private typealias Step = Result<ImportStep, OperationFault>
  /// The first requested line, and the lines starting with it, in parts.
  private typealias Reading = (first: Int, parts: ParallelPrefetcher<[Step]>)

  private let lines: OperationLines
  private let beside: Machine.Beside?
  private var reading: Reading?
  private var current: (number: Int, steps: [Step])?

  /// The number of lines in a part, and the number of parts that are read ahead and kept in memory.
  private static let partLines = 256
  private static let lead = 8

  init(_ lines: OperationLines, beside: Machine.Beside?) {
    (self.lines, self.beside) = (lines, beside)
  }

  var importer: UInt64 { lines.importer }
  var count: Int { lines.count }

  mutating func step(at place: Int, on records: Records) throws(OperationFault) -> ImportStep {
    let (first, parts) = reading ?? read(from: place)
    let (number, index) = (place - first).quotientAndRemainder(dividingBy: Self.partLines)
    if let current, current.number == number { return try current.steps[index].get() }
    let steps = parts.part(number)
    current = (number, steps)
    return try steps[index].get()
  }

  private mutating func read(from first: Int) -> Reading {
    let count = (lines.count - first + Self.partLines - 1) / Self.partLines
    let parts = ParallelPrefetcher(count, lead: Self.lead, beside: beside) { [lines] number in
      let start = first + number * Self.partLines
      return (start..<min(start + Self.partLines, lines.count)).map { Self.step(at: $0, of: lines) }
    }
    reading = (first, parts)
    return (first, parts)
  }

  private static func step(at place: Int, of lines: OperationLines) -> Step {
    do throws(OperationFault) {
      return .success(try lines.step(at: place))
    } catch {
      return .failure(error)
    }
  }
}
