internal import Bytes
internal import Domain

/// The annotations of an imported task, for writing its note back as annotations.
///
/// Taskwarrior identifies an annotation by its time of entry, in seconds. An annotation whose lines are still in the
/// note keeps that time; the lines in between are new annotations.
struct TaskwarriorAnnotations {
  private struct Annotation {
    /// The lines without leading and trailing spaces, because a note may lose such spaces.
    var lines: [String]
    var json: JSON
    var entry: Int64?
  }

  private let annotations: [Annotation]

  var isEmpty: Bool { annotations.isEmpty }

  /// Reads the annotations of a task and ignores items that are not annotations.
  init(_ items: [JSON]) {
    annotations = items.compactMap { item in
      guard let text = item["description"]?.string else { return nil }
      let entry = item["entry"]?.string.flatMap(TaskwarriorTime.parse)
      return Annotation(lines: Self.lines(text).map(\.trimmed), json: item, entry: entry)
    }
  }

  /// Creates one annotation with the given text and time of entry.
  init(_ text: String, entry: Int64) {
    self.init([Self.json(text, entry)])
  }

  /// Converts a note to annotations.
  ///
  /// - Parameters:
  ///   - note: The current note.
  ///   - entry: The time at which the task was entered. An entirely new note gets this time.
  ///   - changed: The time of the last write to the to-do. No new line gets an earlier time than the lines above it.
  /// - Returns: The annotations, in the order of the lines of the note.
  func written(for note: String, _ entry: Int64?, changed: Int64) -> [JSON] {
    let lines = Self.lines(note)
    let found = places(in: lines.map(\.trimmed))
    guard !found.isEmpty else { return [Self.json(note, entry)] }
    var taken = Set(annotations.compactMap(\.entry).map { $0 / 1000 })
    var written: [JSON] = []
    var (place, last) = (0, entry)
    while place < lines.count {
      if let annotation = found[place].map({ annotations[$0] }) {
        written.append(annotation.json)
        last = annotation.entry ?? last
        place += annotation.lines.count
        continue
      }
      let end = lines.indices[place...].first { found[$0] != nil } ?? lines.count
      let text = lines[place..<end].joined(separator: "\n").trimmed
      place = end
      guard !text.isEmpty else { continue }
      // New lines at the end get the time of the change. Other new lines get the time of the annotation above, so they
      // remain below it.
      var second = (end == lines.count ? max(changed, last ?? changed) : last ?? changed) / 1000
      while !taken.insert(second).inserted { second += 1 }
      last = second * 1000
      written.append(Self.json(text, last))
    }
    return written
  }

  /// Returns the unchanged annotations in the given text, by their first lines.
  private func places(in lines: [String]) -> [Int: Int] {
    var starts: [String: [Int]] = [:]
    for (place, line) in lines.enumerated() { starts[line, default: []].append(place) }
    var found: [Int: Int] = [:]
    var isTaken = Array(repeating: false, count: lines.count)
    for (number, annotation) in annotations.enumerated() {
      let start = starts[annotation.lines[0]]?.first { start in
        let range = start..<(start + annotation.lines.count)
        return range.upperBound <= lines.count && !isTaken[range].contains(true)
          && lines[range].elementsEqual(annotation.lines)
      }
      guard let start else { continue }
      found[start] = number
      for place in start..<(start + annotation.lines.count) { isTaken[place] = true }
    }
    return found
  }

  private static func lines(_ text: String) -> [String] {
    text.trimmed.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private static func json(_ text: String, _ entry: Int64?) -> JSON {
    .object(
      ("description", .string(text)),
      ("entry", entry.flatMap(TaskwarriorTime.text).map { .string($0) } ?? .null))
  }
}
