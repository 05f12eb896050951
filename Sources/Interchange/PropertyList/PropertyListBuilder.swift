/// Puts a property list together from its parts as they come.
///
/// What is open is a list of its own, so that no nesting of the source is nesting of calls.
struct PropertyListBuilder {
  enum Container {
    case array, dictionary
  }

  private struct Open {
    let container: Container
    var items: [PropertyList] = []
    var keys: [String] = []
    /// The bytes of the keys: equivalent texts are different keys.
    var known: Set<[UInt8]> = []
    var awaitsValue = false
  }

  private var open: [Open] = []
  private var count = 0
  /// The whole, once it is there.
  private(set) var root: PropertyList?

  /// What the next part stands in.
  var container: Container? { open.last?.container }
  /// Whether a key was given whose value is still to come.
  var awaitsValue: Bool { open.last?.awaitsValue ?? false }
  /// Whether anything was given yet.
  var isEmpty: Bool { open.isEmpty && root == nil }

  mutating func begin(_ container: Container) throws(PropertyListFailure) {
    guard open.count < PropertyList.Limit.depth else {
      throw PropertyListFailure(.tooDeep(maximum: PropertyList.Limit.depth))
    }
    try expectValue()
    open.append(Open(container: container))
  }

  mutating func key(_ key: String) throws(PropertyListFailure) {
    guard container == .dictionary, !awaitsValue else { throw PropertyListFailure(.unexpected) }
    guard key.utf8.count <= PropertyList.Limit.textBytes else {
      throw PropertyListFailure(.tooLong(maximumBytes: PropertyList.Limit.textBytes))
    }
    let last = open.count - 1
    guard open[last].known.insert(Array(key.utf8)).inserted else {
      throw PropertyListFailure(.repeatedKey(key))
    }
    open[last].keys.append(key)
    open[last].awaitsValue = true
  }

  mutating func add(_ value: PropertyList) throws(PropertyListFailure) {
    if case .string(let text) = value, text.utf8.count > PropertyList.Limit.textBytes {
      throw PropertyListFailure(.tooLong(maximumBytes: PropertyList.Limit.textBytes))
    }
    try expectValue()
    put(value)
  }

  mutating func end(_ container: Container) throws(PropertyListFailure) {
    guard self.container == container, !awaitsValue, let last = open.popLast() else {
      throw PropertyListFailure(.unexpected)
    }
    switch container {
    case .array: put(.array(last.items))
    case .dictionary:
      put(.dictionary(zip(last.keys, last.items).map { PropertyList.Entry($0, $1) }))
    }
  }

  private mutating func expectValue() throws(PropertyListFailure) {
    guard root == nil, container != .dictionary || awaitsValue else {
      throw PropertyListFailure(.unexpected)
    }
    count += 1
    guard count <= PropertyList.Limit.values else {
      throw PropertyListFailure(.tooMany(maximum: PropertyList.Limit.values))
    }
  }

  private mutating func put(_ value: PropertyList) {
    guard !open.isEmpty else {
      root = value
      return
    }
    open[open.count - 1].items.append(value)
    open[open.count - 1].awaitsValue = false
  }
}

/// What a builder refuses; whoever reads knows where that is.
struct PropertyListFailure: Error {
  let reason: PropertyListError.Reason

  init(_ reason: PropertyListError.Reason) { self.reason = reason }
}
