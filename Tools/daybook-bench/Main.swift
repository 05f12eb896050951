import Bytes
import Crypto
import Glibc
import Journaling
import Platform
import PosixPlatform

/// Measures what the disk allows and what daybook makes of it, in the same run.
@main struct Main {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let folder = Path(arguments.first { !$0.hasPrefix("--") } ?? "/tmp")
    do {
      let results = try Benchmark.all.map { try $0.run(in: folder, rounds: 5) }
      if arguments.contains("--json") {
        print(JSON.array(results.map(\.json)).text(indented: true))
      } else {
        for result in results { print(result.line) }
      }
    } catch {
      print("daybook-bench: \(error)")
      exit(1)
    }
  }
}
