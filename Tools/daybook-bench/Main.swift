import Bytes
import Glibc
import Platform

/// Measures what daybook makes of a disk, and what it must come to.
@main struct Main {
  private static let usage = """
    daybook-bench [FOLDER] [--only NAME] [--input OPERATIONS] [--check] [--json]
    daybook-bench --operations
    """

  static func main() {
    var words = CommandLine.arguments.dropFirst()
    var (folder, only, input) = (Path("/tmp"), String?.none, String?.none)
    var (checks, isJSON) = (false, false)
    while let word = words.popFirst() {
      switch word {
      case "--check": checks = true
      case "--json": isJSON = true
      case "--only": only = words.popFirst()
      case "--input": input = words.popFirst()
      case "--operations":
        print(String(decoding: Workload().lines, as: UTF8.self), terminator: "")
        return
      case "--help":
        print(usage)
        return
      case let option where option.hasPrefix("-"):
        print("daybook-bench: there is no \(option)\n\(usage)")
        exit(2)
      default: folder = Path(word)
      }
    }
    do {
      let workload = try input.map { try Workload(readingFrom: Path($0)) } ?? Workload()
      var figures: [Figure] = []
      for benchmark in Benchmark.all where only == nil || only == benchmark.name {
        let measured = try benchmark.measure(folder, workload)
        if !isJSON { for figure in measured { print(figure.line) } }
        figures += measured
      }
      if isJSON { print(JSON.array(figures.map(\.json)).text(indented: true)) }
      if checks, figures.contains(where: \.isMissed) { exit(1) }
    } catch {
      print("daybook-bench: \(error)")
      exit(2)
    }
  }
}
