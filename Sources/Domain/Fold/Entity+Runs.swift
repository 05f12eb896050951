// Determines which writes of one entity compete with each other.

extension Entity {
  /// The writes to one field.
  typealias Run = (field: Field, writes: ArraySlice<Stored>)

  /// The writes of the entity, grouped and sorted by field.
  ///
  /// An alternative counts only if its event is the last event of its log that writes to the field.
  var runs: [Run] {
    // Fields come first, then alternatives, then tags.
    let alternatives = writes.firstPlace { $0.field > .disputed }
    var runs: [Run] = []
    Self.append(writes[..<alternatives], to: &runs)
    guard alternatives < writes.endIndex else { return runs }
    let tags = writes.firstPlace { $0.field > .last }
    for write in writes[alternatives..<tags] {
      let place = runs.firstPlace { $0.field >= write.field.base }
      guard place < runs.count, runs[place].field == write.field.base,
        runs[place].writes.contains(where: { $0.key == write.key })
      else { continue }
      runs[place].writes.append(write)
    }
    Self.append(writes[tags...], to: &runs)
    return runs
  }

  private static func append(_ writes: ArraySlice<Stored>, to runs: inout [Run]) {
    var start = writes.startIndex
    while start < writes.endIndex {
      let field = writes[start].field
      var end = start + 1
      while end < writes.endIndex, writes[end].field == field { end += 1 }
      runs.append((field, writes[start..<end]))
      start = end
    }
  }

  /// The competing writes to a field, including alternatives.
  func competing(in field: Field) -> ArraySlice<Stored> {
    let alternatives = writes.firstPlace { $0.field > .disputed }
    let isPlain = alternatives == writes.endIndex || writes[alternatives].field.isTag
    return isPlain ? writes(of: field) : runs.first { $0.field == field }?.writes ?? []
  }

  /// The writes of ``runs``, together with the derived writes of a to-do.
  var runsWithDerived: [Run] {
    var runs = runs
    for field in [Field.Todo.completedAt, Field.Todo.createdAt] {
      let derived = derived(field)
      let place = runs.firstPlace { $0.field >= field }
      if place < runs.count, runs[place].field == field {
        runs[place].writes += derived
      } else if !derived.isEmpty {
        runs.insert((field, derived[...]), at: place)
      }
    }
    return runs
  }

  /// The writes to a field of a to-do that follow from writes to other fields.
  ///
  /// A write to *done* is also a write to *completedAt*, and the add is also a write to *createdAt*, unless the same
  /// event sets the value explicitly. A later write to the field itself in the log beats the derived write.
  private func derived(_ field: Field) -> [Stored] {
    let given = writes(of: field)
    switch field {
    case Field.Todo.completedAt:
      return writes(of: Field.Todo.done).compactMap { done in
        // The result is sorted by log, with one write for each log.
        let place = given.firstPlace { $0.key.log >= done.key.log }
        guard place == given.endIndex || given[place].key != done.key else { return nil }
        var write = done
        write.field = field
        write.value = done.value == .boolean(true) ? .integer(done.effectiveTime) : .null
        return write
      }
    case Field.Todo.createdAt:
      guard let birth, !given.contains(where: { $0.key == key }) else { return [] }
      return [
        Stored(
          field: field, key: key, time: birth.time, effectiveTime: birth.effectiveTime,
          hash: birth.hash, value: .integer(birth.effectiveTime))
      ]
    default: return []
    }
  }
}
