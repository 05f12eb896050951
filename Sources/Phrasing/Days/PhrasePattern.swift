/// A form of words with slots, such as `[on ]{weekday}` or `(last|past) {weekday}`.
///
/// Square brackets contain optional parts, round brackets contain alternatives, and braces contain the name of a
/// ``Slot``. The template is compiled to the instructions of a backtracking machine (R. Cox, "Regular Expression
/// Matching: the Virtual Machine Approach", 2009), because such programs are short, and a command that reads one date
/// compiles many patterns.
struct PhrasePattern: Sendable {
  fileprivate enum Instruction: Sendable {
    case letter(Unicode.Scalar)
    case slot(SlotReader)
    /// Continues with the next instruction or, if that leads to no match, with another instruction.
    case fork(otherwise: Int)
    case jump(to: Int)
  }

  private let program: [Instruction]
  /// The letters with which text of this form can begin.
  let beginnings: LetterSet

  /// - Parameters:
  ///   - template: The pattern. A malformed pattern is a mistake in a table of the program, so it traps.
  ///   - vocabulary: The words that fill the slots.
  init(_ template: String, _ vocabulary: Vocabulary) {
    var compiler = PhraseCompiler(Array(template.unicodeScalars), vocabulary)
    compiler.compile()
    program = compiler.program
    beginnings = Self.beginnings(of: program, from: 0)
  }

  /// Returns the values of the slots, or nil if the text does not have this form.
  func match(_ text: ArraySlice<Unicode.Scalar>) -> SlotValues? {
    guard let first = text.first, beginnings.mayContain(first) else { return nil }
    return match(text, at: text.startIndex, from: 0)
  }

  /// Matches the text from the given place against the program from the given instruction.
  private func match(
    _ text: ArraySlice<Unicode.Scalar>, at place: Int, from start: Int
  )
    -> SlotValues?
  {
    var (place, next) = (place, start)
    while next < program.count {
      switch program[next] {
      case .letter(let letter):
        guard place < text.endIndex, text[place] == letter else { return nil }
        (place, next) = (place + 1, next + 1)
      case .jump(let target): next = target
      case .fork(let other):
        if let found = match(text, at: place, from: next + 1) { return found }
        next = other
      case .slot(let reader):
        return reader.firstReading(at: text[place...]) { length, value in
          var found = match(text, at: place + length, from: next + 1)
          found?.complete(reader.slot, value)
          return found
        }
      }
    }
    return place == text.endIndex ? SlotValues() : nil
  }

  private static func beginnings(of program: [Instruction], from start: Int) -> LetterSet {
    guard start < program.count else { return LetterSet() }
    return switch program[start] {
    case .letter(let letter): LetterSet(letter)
    case .slot(let reader): reader.beginnings
    case .jump(let target): beginnings(of: program, from: target)
    case .fork(let other):
      beginnings(of: program, from: start + 1).union(beginnings(of: program, from: other))
    }
  }
}

/// Compiles the template of a pattern.
private struct PhraseCompiler {
  private let template: [Unicode.Scalar]
  private let vocabulary: Vocabulary
  private var place = 0
  private(set) var program: [PhrasePattern.Instruction] = []

  init(_ template: [Unicode.Scalar], _ vocabulary: Vocabulary) {
    (self.template, self.vocabulary) = (template, vocabulary)
    program.reserveCapacity(template.count)
  }

  mutating func compile() {
    compileSequence()
    precondition(place == template.count, "a template has one bracket too many")
  }

  /// Compiles the template up to the end of an alternative.
  private mutating func compileSequence() {
    while place < template.count {
      let letter = template[place]
      if letter == "|" || letter == ")" || letter == "]" { return }
      place += 1
      switch letter {
      case "(": compileAlternatives(isOptional: false)
      case "[": compileAlternatives(isOptional: true)
      case "{": compileSlot()
      default: compile(letter)
      }
    }
  }

  /// Compiles the alternatives in a pair of brackets, each of which ends with a jump past the brackets.
  private mutating func compileAlternatives(isOptional: Bool) {
    var jumps: [Int] = []
    while true {
      let fork = program.count
      program.append(.jump(to: fork + 1))
      compileSequence()
      precondition(place < template.count, "a template lacks a bracket")
      place += 1
      guard template[place - 1] == "|" else {
        if isOptional { program[fork] = .fork(otherwise: program.count) }
        break
      }
      jumps.append(program.count)
      program.append(.jump(to: 0))
      program[fork] = .fork(otherwise: program.count)
    }
    for jump in jumps { program[jump] = .jump(to: program.count) }
  }

  private mutating func compileSlot() {
    let letters = template[place...].prefix { $0 != "}" }
    place += letters.count + 1
    let name = String(decoding: letters.map { UInt8($0.value) }, as: UTF8.self)
    guard let reader = vocabulary.reader(ofSlotNamed: name) else {
      preconditionFailure("no slot \(name)")
    }
    program.append(.slot(reader))
  }

  /// Compiles a letter, and its other spelling as an alternative.
  private mutating func compile(_ letter: Unicode.Scalar) {
    guard let other = vocabulary.spelling(of: letter) else {
      return program.append(.letter(letter))
    }
    let after = program.count + 3
    program += [.fork(otherwise: after), .letter(letter), .jump(to: after + other.count)]
    program += other.map { .letter($0) }
  }
}
