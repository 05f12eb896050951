/// Builds a property list from its parts in order.
///
/// The open containers are on a stack, so deep nesting does not cause deep recursion.
struct PropertyListBuilder {
  enum Container {
    case array, dictionary
  }

  private struct Open {
    let container: Container
    var items: [PropertyList] = []
    var keys: [String] = []
    /// The keys as bytes, because canonically equivalent strings are different keys.
    var known: Set<[UInt8]> = []
    var awaitsValue = false
  }

  private let limits: ForeignSettings.Limits
  private var budget: UnpackingBudget
  private var open: [Open] = []
  /// The finished property list.
  private(set) var root: PropertyList?

  init(_ limits: ForeignSettings.Limits, fileBytes: Int) {
    self.limits = limits
    budget = UnpackingBudget(fileBytes: fileBytes)
  }

  /// The container to which the next part belongs.
  var container: Container? { open.last?.container }
  /// Whether the last key has no value yet.
  var awaitsValue: Bool { open.last?.awaitsValue ?? false }
  /// Whether the list has no parts yet.
  var isEmpty: Bool { open.isEmpty && root == nil }

  mutating func begin(_ container: Container) throws(PropertyListFailure) {
    guard open.count < limits.depth else {
      throw PropertyListFailure(.tooDeep(maximum: limits.depth))
    }
    try expectValue()
    try spend(Self.valueBytes)
    open.append(Open(container: container))
  }

  mutating func key(_ key: String) throws(PropertyListFailure) {
    guard container == .dictionary, !awaitsValue else { throw PropertyListFailure(.unexpected) }
    try spend(text: key)
    let last = open.count - 1
    guard open[last].known.insert(Array(key.utf8)).inserted else {
      throw PropertyListFailure(.repeatedKey(key))
    }
    open[last].keys.append(key)
    open[last].awaitsValue = true
  }

  mutating func add(_ value: PropertyList) throws(PropertyListFailure) {
    try expectValue()
    switch value {
    case .string(let text): try spend(text: text)
    case .data(let bytes): try spend(bytes.count)
    default: break
    }
    try spend(Self.valueBytes)
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
  }

  /// The size of a value without its text.
  private static let valueBytes = 48

  private mutating func spend(text: String) throws(PropertyListFailure) {
    let count = text.utf8.count
    guard count <= limits.fieldBytes else {
      throw PropertyListFailure(.tooLong(maximumBytes: limits.fieldBytes))
    }
    try spend(count)
  }

  /// Charges each occurrence of a part, because an import copies each occurrence.
  private mutating func spend(_ bytes: Int) throws(PropertyListFailure) {
    guard budget.spend(bytes) else {
      throw PropertyListFailure(.unpacksTooMuch(maximumBytes: budget.limit))
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

/// The reason why the builder rejects a part.
///
/// The reader adds the offset of the fault.
struct PropertyListFailure: Error {
  let reason: PropertyListError.Reason

  init(_ reason: PropertyListError.Reason) { self.reason = reason }
}
