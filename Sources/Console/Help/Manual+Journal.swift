import Domain

extension Manual {
  /// The manual page about the files of a book.
  ///
  /// The page explains how to read the files without this program.
  static let journal =
    head("DAYBOOK-JOURNAL", section: 5, name: "daybook-journal", "the files of a daybook")
    + [".Sh DESCRIPTION"]
    + paragraphs([
      "A book is a folder. Everything that daybook shows is computed from append-only logs. "
        + "Each device that writes has at least one log. "
        + "A hash chain covers the events of each log.",
      "This page describes the files. "
        + "The file protocol.md in the sources describes every byte, with examples that can be recomputed.",
    ])
    + [".Ss Files of a book", ".Bl -tag -width Ds"] + places.flatMap(item) + [".El"]
    + [".Ss Frames"]
    + paragraphs([
      "A log file is a sequence of frames. Each frame is a gzip member (RFC 1952), so zcat prints all of them. "
        + "A frame contains a sequence of CBOR items (RFC 8742): "
        + "a map about the frame, two items for each event, and often a map with a signature at the end.",
      "The gzip header of a frame has an extra field with a subfield DB of 25 bytes: the version (1 byte, value 1), "
        + "the length of the whole frame (4 bytes), the number of its first event (8 bytes), "
        + "the number of its events (4 bytes), and the first 8 bytes of the id of its log. "
        + "The numbers are in little-endian order.",
    ])
    + [".Ss Events"]
    + paragraphs([
      "The first item of an event is its header, "
        + "which contains the milliseconds since the previous event of the log, "
        + "and may contain more, such as what the event's writer had newly seen of other logs. "
        + "The second is its body: usually the record, what was done to it, and the written fields by their numbers.",
      "These are the kinds of records, with the numbers of their fields.",
    ])
    + [".Bl -tag -width Ds"] + Schema.kinds.flatMap(item) + [".El"]
    + [
      ".Sh EXAMPLES",
      "To write all events of a book to standard output, for a program that reads CBOR:",
      ".Dl zcat ~/.local/share/daybook/default/logs/*/*.gz", ".Sh SEE ALSO", ".Xr daybook 1 ,",
      ".Xr gzip 1",
    ]

  private static let places = [
    ("book.json", "The id of the book, and of this device's log."),
    (
      "keys/",
      "The private keys that sign what this device writes and, in store-BOOK.keys, the keys of sealed folders. "
        + "Keep them secret."
    ),
    (
      "logs/",
      "A folder for each log, with files that are each named after the number of their first event."
    ),
    ("aside/", "Logs of devices that are not admitted yet."),
    (
      "trust, peers, contacts, invitations",
      "Data about other devices, and their addresses."
    ),
    (
      "quarantine/",
      "Copies of damaged bytes and files, kept until something in their log is erased."
    ),
    (
      "view.sqlite",
      "The current records, for queries; the latest changes are in view.sqlite-wal. "
        + "'daybook rebuild' rebuilds view.sqlite from the logs, "
        + "and view.sqlite-lock keeps two processes from replacing it at the same time."
    ),
    ("lock", "The lock of the process that writes; only one process can write at a time."),
  ]

  private static func item(_ place: (name: String, meaning: String)) -> [String] {
    [".It Pa \(quoted(place.name))"] + sentences(place.meaning)
  }

  private static func item(_ kind: KindSchema) -> [String] {
    let fields = kind.fields.map { "\($0.field.rawValue) \($0.name)" }.joined(separator: ", ")
    return [".It \(quoted("\(kind.kind.rawValue) \(kind.name)"))"] + sentences(fields + ".")
  }
}
