import Domain

extension Manual {
  /// The manual page about the files of a book, for finding its contents without this program.
  static let journal =
    head("DAYBOOK-JOURNAL", section: 5, name: "daybook-journal", "the files of a daybook")
    + [".Sh DESCRIPTION"]
    + paragraphs([
      "A book is a folder. All that it shows is worked out from logs to which is only ever added: "
        + "one for each device, of which each event holds the hash of the one before it.",
      "This page says what is where. The file protocol.md of the sources describes every byte, with "
        + "examples that can be computed anew.",
    ])
    + [".Ss Files of a book", ".Bl -tag -width Ds"] + places.flatMap(item) + [".El"]
    + [".Ss Frames"]
    + paragraphs([
      "A file of a log is a row of frames, each of which is one member of a gzip file (RFC 1952), so "
        + "that zcat prints all of them. What they hold is a sequence of CBOR items (RFC 8742): a "
        + "map about the frame, then two items for each event, then often a map that is signed.",
      "A frame's header has an extra field called DB of 17 bytes: the version, 1; the length of the "
        + "whole frame in 4 bytes; the number of its first event in 8; and how many events it holds "
        + "in 4, all of them with the lowest byte first.",
    ])
    + [".Ss Events"]
    + paragraphs([
      "The first item of an event is its header: the milliseconds since the event before, and what "
        + "its writer had seen of other logs. The second is its body: what is done to which record, "
        + "and the fields that are written, by their numbers.",
      "These are the kinds of records, with the numbers of their fields.",
    ])
    + [".Bl -tag -width Ds"] + Schema.kinds.flatMap(item) + [".El"]
    + [
      ".Sh EXAMPLES", "All events of a book, for whatever reads CBOR:",
      ".Dl zcat ~/.local/share/daybook/default/logs/*/*.gz", ".Sh SEE ALSO", ".Xr daybook 1 ,",
      ".Xr gzip 1",
    ]

  private static let places = [
    ("book.json", "The id of the book, and of this device's log."),
    (
      "keys/",
      "The private keys by which this device signs what it writes. Nobody else is to have them."
    ),
    ("logs/", "A folder for each log, and in it files called by the number of their first event."),
    ("aside/", "Logs of devices that nobody has admitted yet."),
    ("trust, peers, contacts, invitations", "What is known of other devices, and where they are."),
    (
      "quarantine/",
      "Bytes that could not be read, set aside until something in their log is erased."
    ),
    (
      "view.sqlite",
      "All records as they are now, for queries, of which the last changes are in view.sqlite-wal "
        + "beside it; 'daybook rebuild' makes it anew."
    ),
    ("lock", "Held by who writes; one at a time."),
  ]

  private static func item(_ place: (name: String, meaning: String)) -> [String] {
    [".It Pa \(quoted(place.name))"] + sentences(place.meaning)
  }

  private static func item(_ kind: KindSchema) -> [String] {
    let fields = kind.fields.map { "\($0.field.rawValue) \($0.name)" }.joined(separator: ", ")
    return [".It \(quoted("\(kind.kind.rawValue) \(kind.name)"))"] + sentences(fields + ".")
  }
}
