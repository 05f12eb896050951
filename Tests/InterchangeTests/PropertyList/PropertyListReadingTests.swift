import Bytes
import Interchange
import Testing

struct PropertyListReadingTests {
  /// A sample list without unsigned numbers and references, which XML does not have.
  static let sample = PropertyList.dictionary([
    .init("big", .integer(9_223_372_036_854_775_808)), .init("d", .data([0, 255])),
    .init("done", .boolean(true)),
    .init("list", .array([.string("a"), .string("b"), .array([]), .dictionary([])])),
    .init("n", .integer(-5)), .init("r", .real(1.5)), .init("title", .string("Ünï 🎂")),
    .init("when", .date(1_342_863_000_000)),
  ])

  private static let xml = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
      <key>big</key><integer>9223372036854775808</integer>
      <key>d</key><data>
      AP8=
      </data>
      <!-- <key>done</key> -->
      <key>done</key><true/>
      <key>list</key>
      <array><string>a</string><string><![CDATA[b]]></string><array/><dict></dict></array>
      <key>n</key><integer> -5 </integer>
      <key>r</key><real>1.5</real>
      <key>title</key><string>&#220;n&#xEF; 🎂</string>
      <key>when</key><date>2012-07-21T09:30:00Z</date>
    </dict>
    </plist>
    """

  // The list as Python's plistlib wrote it, with an additional reference of a keyed archive.
  private static let binary =
    "62706c6973743030d90102030405060708090a0b0c0d121314151653626967516454646f6e65546c697374516e51"
    + "72557469746c655175547768656e14000000000000000080000000000000004200ff09a40e0f101151615162a0d0"
    + "13fffffffffffffffb233ff80000000000006600dc006e00ef0020d83cdf8280073341b5baae18000000081b1f21"
    + "262b2d2f35373c4d505156585a5b5c656e7b7d000000000000010100000000000000170000000000000000000000"
    + "0000000086"

  @Test func `Property list: an XML list is read with all its types`() throws {
    #expect(try PropertyList(parsing: Array(Self.xml.utf8)) == Self.sample)
    #expect(try PropertyList(parsing: [0xef, 0xbb, 0xbf] + Self.xml.utf8) == Self.sample)
    let returned = Self.xml.split(separator: "\n").joined(separator: "\r\n")
    #expect(try PropertyList(parsing: Array(returned.utf8)) == Self.sample)
  }

  @Test func `Property list: a binary list is read with all its types`() throws {
    let list = try PropertyList(parsing: try #require(Hex.decode(Self.binary)))
    var expected = try #require(Self.sample.entries)
    expected.insert(.init("u", .uid(7)), at: 7)
    #expect(list == .dictionary(expected))
  }

  @Test(arguments: ["{ a = b; }", " \n(a, b)"])
  func `Property list: the OpenStep form is refused by name`(text: String) {
    #expect(throws: PropertyListError(.openStep, at: 0, line: 1)) {
      try PropertyList(parsing: Array(text.utf8))
    }
  }

  private static let truths: [(PropertyList, Bool?)] = [
    (.boolean(true), true), (.integer(1), true), (.string("1"), true), (.string("YES"), true),
    (.string("true"), true), (.boolean(false), false), (.integer(0), false), (.real(0), false),
    (.string("0"), false), (.string("No"), false), (.integer(2), nil), (.string("maybe"), nil),
    (.null, nil), (.array([]), nil),
  ]

  @Test(arguments: truths)
  func `Property list: truth values are read in each common form`(value: PropertyList, truth: Bool?)
  {
    #expect(value.truth == truth)
  }
}
