import Simulating

/// What the words of a command line ask for.
struct Options {
  var request = ScenarioRequest()
  var isTracing = false
  var shrinks = true
  var isQuiet = false
  /// Whether each fault that can be planted is to be caught.
  var isHarvest = false

  /// Reads the words; nil where one is not understood.
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
