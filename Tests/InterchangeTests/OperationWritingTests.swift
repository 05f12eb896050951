import Bytes
import Domain
import Interchange
import TestDice
import Testing

struct OperationWritingTests {
  @Test func `Operation writing: a parsed line is written back unchanged`() throws {
    let lines = [
      #"{"t":1,"op":"add","kind":"birthday","id":"A","firstName":"Ada","birthdate":"--12-10","author":"me"}"#,
      #"{"t":2,"op":"edit","kind":"todo","id":"B","set":{"list":"L","done":true,"due":null},"n":"1"}"#,
      ##"{"op":"add","kind":"list","id":"L","name":"Work","colour":"#00ff7f","tags":["a"]}"##,
      #"{"op":"delete","kind":"pick","id":"P","because":"why not","title":"x"}"#,
    ]
    for line in lines { #expect(try Operation(line: Array(line.utf8)).line == line) }
  }

  @Test func `Operation writing: provenance under a reserved key is left out`() {
    let operation = Operation(
      .edit, .list, id: "x", provenance: [.init("name", "a"), .init("op", "b"), .init("by", "c")])
    #expect(operation.line == #"{"op":"edit","kind":"list","id":"x","set":{},"by":"c"}"#)
  }

  @Test(arguments: 0..<20)
  func `Operation writing: random operations read back equal`(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    for _ in 0..<200 {
      let operation = dice.operation()
      #expect(try Operation(line: Array(operation.line.utf8)) == operation)
    }
  }
}

extension Dice {
  fileprivate mutating func operation() -> Operation {
    let schema = Schema.kinds[number(Schema.kinds.count)]
    let verbs: [Operation.Verb] = [.add, .edit, .delete, .restore]
    var operation = Operation(
      verbs[number(4)], schema.kind, id: word(), time: chance(80) ? Int64(number(1 << 40)) : nil)
    if chance(20) { operation.because = word() }
    for place in 0..<number(3) { operation.provenance.append(.init("\(place)" + word(), word())) }
    let takesFields = operation.verb == .add || operation.verb == .edit
    for field in schema.fields where takesFields && chance(60) {
      operation.assignments.append(.init(field.field, content(field.type)))
    }
    if operation.verb == .edit, operation.assignments.isEmpty { operation.verb = .restore }
    return operation
  }

  private mutating func content(_ type: FieldType) -> Operation.Content {
    if chance(10) { return .value(.null) }
    switch type {
    case .text, .tag: return .value(.text(word()))
    case .repeatRule:
      let rules = ["FREQ=DAILY", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;FROM=DONE", "FREQ=YEARLY"]
      return .value(.text(rules[number(rules.count)]))
    case .texts: return .value(.texts((0...number(3)).map { _ in word() }))
    case .boolean: return .value(.boolean(chance(50)))
    case .date: return .value(CivilDate(epochDay: number(20_000)).map(Value.date) ?? .null)
    case .reference: return .source(word())
    case .bytes: return .value(.bytes((0..<number(9)).map { _ in UInt8(number(256)) }))
    case .map:
      let pairs = (0...number(3)).map {
        CBORValue.Pair(key: .text("\($0)" + word()), value: .text(word()))
      }
      return .value(.other(CBORValue.encode(.map(pairs))))
    case .integer, .instant, .colour, .priority, .leapRule, .minute:
      return .value(.integer(Int64.random(in: type.integers ?? 0...0, using: &self)))
    }
  }

  /// A random non-empty word without white space at its ends.
  private mutating func word() -> String {
    let letters = ["a", "\"", "\\", "é", "e\u{301}", "字", "🎂", "\u{1}", "/", "{", "\u{2028}x"]
    return "w" + (0..<number(6)).map { _ in letters[number(letters.count)] }.joined() + "w"
  }
}
