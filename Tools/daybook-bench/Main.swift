import Bytes
import Glibc
import Platform

/// Measures the speed and size of daybook, and compares the figures with their limits.
@main struct Main {
  private static let usage = """
    daybook-bench [FOLDER] [--only NAME] [--large] [--input OPERATIONS] [--check] [--json]
    daybook-bench --operations [COUNT]
    daybook-bench --worst [FOLDER] [--most EVENTS] [--only PART-OF-NAME]
    """

  private var folder = Path("/tmp")
  private var only: String?
  private var input: String?
  private var checks = false
  private var isJSON = false
  private var isLarge = false

  static func main() {
    let words = CommandLine.arguments.dropFirst()
    do {
      switch words.first {
      case "--help": print(usage)
      case "--operations":
        let count = words.dropFirst().first.map { Int($0) ?? 0 } ?? Scale.usual.count
        print(String(decoding: Workload(count: count).lines, as: UTF8.self), terminator: "")
      case Worst.option:
        if try !Worst(words.dropFirst()).run() { exit(1) }
      case Alone.option:
        guard words.count == 3, let task = Alone(rawValue: words[words.startIndex + 1]) else {
          throw BenchFailure.usage
        }
        try task.run(on: Path(words[words.startIndex + 2]))
      default: try Main(words).run()
      }
    } catch BenchFailure.usage {
      print(usage)
      exit(2)
    } catch {
      print("daybook-bench: \(error)")
      exit(2)
    }
  }

  private init(_ words: ArraySlice<String>) throws {
    var words = words
    while let word = words.popFirst() {
      switch word {
      case "--check": checks = true
      case "--json": isJSON = true
      case "--large": isLarge = true
      case "--only": only = words.popFirst()
      case "--input": input = words.popFirst()
      case let option where option.hasPrefix("-"): throw BenchFailure.usage
      default: folder = Path(word)
      }
    }
  }

  private func run() throws {
    let chosen = Benchmark.all.filter { only == $0.name || only == nil && (isLarge || !$0.isLarge) }
    guard !chosen.isEmpty else {
      let names = Benchmark.all.map(\.name).joined(separator: ", ")
      print("daybook-bench: the benchmarks are \(names)")
      exit(2)
    }
    let stock = Stock(in: folder, try input.map { try Workload(readingFrom: Path($0)) })
    var figures: [Figure] = []
    do {
      for benchmark in chosen {
        let measured = try benchmark.measure(stock)
        if !isJSON { for figure in measured { print(figure.line) } }
        figures += measured
      }
    } catch {
      // The error that ended the measurement is more important than a failure to remove the files.
      try? stock.remove()
      throw error
    }
    try stock.remove()
    if isJSON { print(figures.json.text(indented: true)) }
    if checks, figures.contains(where: \.isMissed) { exit(1) }
  }
}
