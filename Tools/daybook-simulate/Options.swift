import Simulating

/// The options of a command line.
struct Options {
  var request = ScenarioRequest()
  var isTracing = false
  var shrinks = true
  var isQuiet = false
  /// Whether to plant each fault and check that a world catches it.
  var isHarvest = false

  /// Parses the arguments; nil if one is invalid.
  init?(_ words: [String]) {
    var words = words[...]
    while let word = words.popFirst() {
      switch word {
      case "--trace": isTracing = true
      case "--no-shrinking": shrinks = false
      case "--quiet": isQuiet = true
      case "--harvest": isHarvest = true
      default:
        guard let value = words.popFirst(), request.take(word, value) else { return nil }
      }
    }
  }
}
