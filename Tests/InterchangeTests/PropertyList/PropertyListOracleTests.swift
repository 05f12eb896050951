import Interchange
import Testing

/// Property lists written by Python's plistlib.
struct PropertyListOracleTests {
  private static let hasPython = Oracle.has("plistlib")

  /// A list with many strings, numbers at the limits of their sizes, and more than 256 objects.
  private static let script = """
    import datetime, plistlib, sys
    numbers = [0, 1, 255, 256, 65535, 65536, 2**31, 2**32, 2**63 - 1, 2**63, 2**64 - 1]
    numbers += [-1, -128, -32769, -2**31, -2**63]
    value = {
        "texts": ["x" * n for n in (0, 14, 15, 16, 255, 256, 70000)] + ["é" * 300, "🎂" * 20],
        "numbers": numbers,
        "reals": [0.0, -1.5, 1e300],
        "data": [b"", bytes(range(256)) * 3],
        "dates": [datetime.datetime(y, 2, 28, 23, 59, 59) for y in (1815, 1970, 2001, 2100)],
        "many": [{"title": "to-do %d" % n, "done": n % 2 == 0} for n in range(400)],
    }
    form = plistlib.FMT_BINARY if sys.argv[1] == "binary" else plistlib.FMT_XML
    sys.stdout.buffer.write(plistlib.dumps(value, fmt=form, sort_keys=False))
    """

  private static let expected = PropertyList.dictionary([
    .init(
      "texts",
      .array(
        [0, 14, 15, 16, 255, 256, 70_000].map { .string(String(repeating: "x", count: $0)) } + [
          .string(String(repeating: "é", count: 300)), .string(String(repeating: "🎂", count: 20)),
        ])),
    .init(
      "numbers",
      .array(
        [
          0, 1, 255, 256, 65535, 65536, 1 << 31, 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 64) - 1, -1,
          -128, -32769, -(1 << 31), -(1 << 63),
        ].map { PropertyList.integer($0) })),
    .init("reals", .array([.real(0), .real(-1.5), .real(1e300)])),
    .init("data", .array([.data([]), .data((0..<3).flatMap { _ in Array(0...UInt8.max) })])),
    .init(
      "dates",
      .array(
        [-4_886_265_601_000, 5_097_599_000, 983_404_799_000, 4_107_542_399_000].map {
          .date($0)
        })),
    .init(
      "many",
      .array(
        (0..<400).map { number in
          .dictionary([
            .init("title", .string("to-do \(number)")),
            .init("done", .boolean(number.isMultiple(of: 2))),
          ])
        })),
  ])

  @Test(
    .enabled(if: hasPython, "python3 is not installed"), arguments: ["xml", "binary"])
  func `Property list: a list from plistlib is read`(form: String) throws {
    #expect(try PropertyList(parsing: try Oracle.run(Self.script, form)) == Self.expected)
  }
}
