import Bytes
import Crypto
import Testing

@testable import Domain

@Suite struct TagTests {
  private func tags(_ key: EventKey, in story: Story, of device: Int? = nil) -> [String]? {
    (device.map(story.records(of:)) ?? story.records).document(of: key)?.tags
  }

  private func adding(_ tag: String) -> [Field: Value] { [Field(tag: tag): .text(tag)] }
  private func removing(_ tag: String) -> [Field: Value] { [Field(tag: tag): .boolean(false)] }

  private func todo(_ tags: [String], in story: inout Story) throws -> EventKey {
    let key = try story.run(.add(.todo, [Field.Todo.title: .text("Milk"), .tags: .texts(tags)]))[0]
      .key
    story.sync()
    return key
  }

  @Test func `Tags: a tag removed on one device and another added elsewhere do not conflict`()
    throws
  {
    var story = Story(devices: 2)
    let key = try todo(["a", "b"], in: &story)
    try story.run(.edit(key, removing("b")))
    try story.run(.edit(key, adding("c")), by: 1)
    story.sync()
    #expect(tags(key, in: story) == ["a", "c"])
    #expect(story.document(key)?.conflicts == [])
    #expect(story.records(of: 0).digest() == story.records(of: 1).digest())
  }

  @Test func `Tags: the digest does not depend on the order of arrival`() throws {
    var story = Story(devices: 2)
    let key = try todo(["a", "b"], in: &story)
    try story.run(.edit(key, removing("b")))
    try story.run(.edit(key, adding("c")), by: 1)
    story.sync()
    let digests = [story.facts, story.facts.reversed()].map { facts in
      Records.fold(facts, causality: story.causality).digest()
    }
    #expect(digests[0] == digests[1])
  }

  @Test func `Tags: an add writes one register for each tag, sorted by number`() throws {
    var story = Story()
    let fields: [Field: Value] = [
      Field.Todo.title: .text("Milk"), .tags: .texts(["b", " a ", "B", ""]),
    ]
    let body = try story.run(.add(.todo, fields))[0].body
    let tags = [Write(Field(tag: "a"), .text("a")), Write(Field(tag: "b"), .text("b"))]
    #expect(
      body.writes == [Write(Field.Todo.title, .text("Milk"))] + tags.sorted { $0.field < $1.field })
    #expect(story.document(story.facts[0].key)?.tags == ["a", "b"])
  }

  @Test func `Tags: spellings with one key are one tag, which takes the latest spelling`() throws {
    var story = Story()
    let key = try todo(["Café"], in: &story)
    #expect(try story.run(.edit(key, adding("Café"))).isEmpty)
    let edit = try story.run(.edit(key, adding("CAFE\u{301}")))
    #expect(edit.map(\.body.writes) == [[Write(Field(tag: "café"), .text("CAFE\u{301}"))]])
    #expect(tags(key, in: story).map { $0.map { Array($0.utf8) } } == [Array("CAFE\u{301}".utf8)])
    try story.run(.edit(key, removing("café")))
    #expect(tags(key, in: story) == [])
  }

  @Test func `Tags: a tag that is added and removed concurrently remains`() throws {
    var story = Story(devices: 2)
    let key = try todo(["a"], in: &story)
    try story.run(.edit(key, removing("a")), by: 1)
    try story.run(.edit(key, adding("a")), by: 1)
    try story.run(.edit(key, removing("a")))
    story.sync()
    #expect(tags(key, in: story) == ["a"])
    #expect(story.document(key)?.conflicts == [])
    // The next removal has seen both.
    try story.run(.edit(key, removing("a")), by: 1)
    #expect(tags(key, in: story) == [])
  }

  @Test func `Tags: setting all tags writes only the difference`() throws {
    var story = Story()
    let key = try todo(["a", "b"], in: &story)
    let edit = try story.run(.edit(key, [.tags: .texts(["c", "a"])]))
    #expect(
      Set(edit.flatMap(\.body.writes)) == [
        Write(Field(tag: "b"), .boolean(false)), Write(Field(tag: "c"), .text("c")),
      ])
    #expect(try story.run(.edit(key, [.tags: .texts(["a", "c"])])).isEmpty)
    try story.run(.edit(key, [.tags: .null]))
    #expect(tags(key, in: story) == [])
  }

  @Test func `Tags: the list of an older program is shown with registers, which take precedence`()
    throws
  {
    var story = Story(devices: 2)
    let key = try todo(["a"], in: &story)
    story.write([Draft(.edit, .entity(key), [Write(.tags, .texts(["z", "b", "A"]))])], by: 1)
    try story.run(.edit(key, adding("c")))
    story.sync()
    #expect(tags(key, in: story) == ["a", "b", "c", "z"])
    // Another list at the same time adds its tags, and there is no conflict.
    story.write([Draft(.edit, .entity(key), [Write(.tags, .texts(["y"]))])], by: 1)
    story.write([Draft(.edit, .entity(key), [Write(.tags, .texts(["x"]))])])
    story.sync()
    #expect(tags(key, in: story) == ["a", "c", "x", "y"])
    #expect(story.document(key)?.conflicts == [])
    let edit = try story.run(.edit(key, removing("x")))
    #expect(edit.map(\.body.writes) == [[Write(Field(tag: "x"), .boolean(false))]])
    #expect(tags(key, in: story) == ["a", "c", "y"])
  }

  @Test func `Tags: a tag of 257 bytes is ignored from a peer and refused in a command`()
    throws
  {
    let long = String(repeating: "a", count: 257)
    let body = Body(
      .edit, .entity(EventKey(log: 0, sequence: 1)),
      [Write(Field(tag: long), .text(long)), Write(Field(tag: "b"), .text("b"))])
    let read = try Body.decode(body.encode { _ in nil }.span, author: 0) { _ in nil }
    #expect(Set(read?.writes ?? []) == [Write(Field(tag: "b"), .text("b"))])
    var story = Story()
    let key = try todo(["a"], in: &story)
    #expect(
      throws: Refusal.badValue(.todo, Field(tag: long), .tooLong(maximumBytes: 256))
    ) { try story.run(.edit(key, adding(long))) }
    let most = String(long.dropLast())
    try story.run(.edit(key, adding(most)))
    #expect(tags(key, in: story) == ["a", most])
  }

  @Test func `Tags: a command shows at most 64, and more from two devices are all shown`() throws {
    var story = Story(devices: 2)
    let first = (10..<73).map { "\($0)" }
    let key = try todo(first, in: &story)
    try story.run(.edit(key, adding("x")))
    try story.run(.edit(key, adding("y")), by: 1)
    story.sync()
    #expect(tags(key, in: story) == first + ["x", "y"])
    #expect(throws: Refusal.badValue(.todo, .tags, .tooMany(maximumCount: 64))) {
      try story.run(.edit(key, adding("z")))
    }
    try story.run(.edit(key, removing("10")))
    try story.run(.edit(key, removing("11").merging(adding("z")) { $1 }))
    #expect(tags(key, in: story)?.count == 64)
  }

  @Test func `Tags: undoing an add of a tag removes it, and redo adds it again`() throws {
    var story = Story()
    let key = try todo(["a"], in: &story)
    let edit = try story.run(.edit(key, adding("b").merging(removing("a")) { $1 }))
    let undo = story.undo(edit)
    #expect(tags(key, in: story) == ["a"])
    #expect(
      Set(undo.facts.flatMap(\.body.writes)) == [
        Write(Field(tag: "a"), .text("a")), Write(Field(tag: "b"), .boolean(false)),
      ])
    #expect(undo.left == [])
    story.undo(undo.facts)
    #expect(tags(key, in: story) == ["b"])
  }

  @Test func `Tags: undoing the list of an older program writes registers`() throws {
    var story = Story()
    let key = try todo([], in: &story)
    let list = story.write([Draft(.edit, .entity(key), [Write(.tags, .texts(["a", "b"]))])])
    let undo = story.undo(list)
    #expect(
      Set(undo.facts.flatMap(\.body.writes)) == [
        Write(Field(tag: "a"), .boolean(false)), Write(Field(tag: "b"), .boolean(false)),
      ])
    #expect(tags(key, in: story) == [])
  }

  @Test func `Tags: undo restores the spelling that the list of an older program had`() throws {
    var story = Story()
    let key = try todo([], in: &story)
    story.write([Draft(.edit, .entity(key), [Write(.tags, .texts(["food"]))])])
    let edit = try story.run(.edit(key, adding("Food")))
    #expect(tags(key, in: story) == ["Food"])
    story.undo(edit)
    #expect(tags(key, in: story) == ["food"])
  }

  @Test func `Tags: a number that another program computed shows its tag, and it can be removed`()
    throws
  {
    var story = Story()
    let key = try todo(["b"], in: &story)
    let foreign = Field(rawValue: 65_536)
    story.write([Draft(.edit, .entity(key), [Write(foreign, .text("a"))])])
    #expect(tags(key, in: story) == ["a", "b"])
    try story.run(.edit(key, removing("a")))
    #expect(tags(key, in: story) == ["b"])
  }

  @Test func `Tags: joined records show the tags of all, and a removal reaches each`() throws {
    var story = Story()
    let one = try todo(["a", "b"], in: &story)
    let two = try todo(["b", "c"], in: &story)
    try story.run(.join(one, two))
    #expect(tags(one, in: story) == ["a", "b", "c"])
    #expect(story.document(one)?.conflicts == [])
    try story.run(.edit(one, removing("b")))
    #expect(tags(one, in: story) == ["a", "c"])
  }

  @Test func `Tags: a revived record has exactly the given tags`() throws {
    var story = Story()
    let key = try todo(["a", "b"], in: &story)
    try story.run(.delete([key]))
    try story.run(.revive(key, [Field.Todo.title: .text("Milk"), .tags: .texts(["b", "c"])]))
    #expect(tags(key, in: story) == ["b", "c"])
  }

  @Test func `Tags: the plain values of an entity have the tags that its document shows`() throws {
    var story = Story()
    let key = try todo(["a", "b"], in: &story)
    story.write([Draft(.edit, .entity(key), [Write(.tags, .texts(["d", "B"]))])])
    try story.run(.edit(key, removing("a")))
    let records = story.records
    let entity = try #require(records.entity(of: key))
    let plain = records.plainValues(of: entity)?.filter { $0.field == .tags }.map(\.value)
    #expect(plain == [.texts(["b", "d"])])
    #expect(records.document(of: key)?.value(.tags) == .texts(["b", "d"]))
    #expect(!entity.needsNewerVersion)
  }
}

@Suite struct TagKeyTests {
  @Test(arguments: [
    ("Food", "food"), ("STRASSE", "straße"), ("ẞ", "SS"), ("É", "e\u{301}"), ("Σίσυφος", "ΣΊΣΥΦΟΣ"),
    ("ﬁ", "FI"), ("K", "\u{212A}"), ("Ꭰ", "ꭰ"), ("ǰ", "J\u{30C}"), ("ᏸ", "Ᏸ"),
  ])
  func `Tag key: spellings of one tag have one key`(one: String, two: String) {
    #expect(Field(tag: one) == Field(tag: two))
  }

  @Test(arguments: [("i", "ı"), ("e", "é"), ("a", "а"), ("a", "ａ"), ("\u{1C89}", "\u{1C8A}")])
  func `Tag key: other characters give another tag`(one: String, two: String) {
    #expect(Field(tag: one) != Field(tag: two))
  }

  @Test func `Tag key: numbers begin at 65,536 and have 48 bits of the digest`() {
    let digest = SHA256.digest(of: Array("daybook tag v1food".utf8))
    let number = digest.bytes.prefix(6).reduce(0) { $0 << 8 | Int64($1) }
    #expect(Field(tag: "FOOD").rawValue == 65_536 + number)
    #expect(Field(rawValue: 65_536).isTag && Field(rawValue: 65_535 + 1 << 48).isTag)
    #expect(!Field(rawValue: 65_535).isTag && !Field(rawValue: 65_536 + 1 << 48).isTag)
    #expect(Field(rawValue: 65_536).base == Field(rawValue: 65_536))
  }

  @Test(arguments: [4_096, 65_535, 65_536 + 1 << 48, .max] as [Int64])
  func `Tag key: numbers between alternatives and tags and beyond tags are refused`(number: Int64) {
    #expect(!ValueBounds.admit(.null, in: Field(rawValue: number)))
  }
}
