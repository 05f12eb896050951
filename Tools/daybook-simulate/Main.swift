import Glibc
import Simulating

/// Runs simulated worlds, and prints the arguments with which a failed world can be run again.
@main struct Main {
  static let usage = """
    daybook-simulate [--seeds A..<B] [--weather NAME,…] [--strength N] [--devices N] [--steps N]
                     [--omit N-M,…] [--plant NAME | --harvest] [--trace] [--no-shrinking] [--quiet]
    """

  static func main() {
    Last.watch()
    guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
      print(usage)
      exit(2)
    }
    if options.isHarvest { exit(Harvest(most: 1_000).gather(options.request) ? 0 : 1) }
    var run = Run(options)
    for seed in options.request.seeds { run.live(seed) }
    run.report()
    exit(run.failures == 0 ? 0 : 1)
  }
}
