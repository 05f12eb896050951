internal import Domain
internal import SQLite

/// The table of birthdays.
///
/// `birthdate_number` is the date as events encode it, by which rows can be sorted. `birthdate` is the date in ISO
/// format.
enum BirthdayTable: KindTable {
  static let kind = Kind.birthday
  static let name = "birthday"

  static let schema = """
    CREATE TABLE birthday (
      \(CommonColumns.definition),
      first_name TEXT, last_name TEXT, birthdate TEXT, leap_rule INTEGER, lead TEXT,
      birthdate_number INTEGER, birth_month INTEGER, birth_day INTEGER,
      first_name_folded TEXT NOT NULL, last_name_folded TEXT NOT NULL,
      PRIMARY KEY (log, sequence)
    ) STRICT, WITHOUT ROWID;
    """

  static let shown = "birthday AS shown_birthday"

  static let indexes = [
    TableIndex("birthday_by_name", "last_name_folded", "first_name_folded"),
    TableIndex("birthday_by_day", "birth_month", "birth_day"),
  ]

  static let columns = [
    "first_name", "last_name", "birthdate", "leap_rule", "lead", "birthdate_number", "birth_month",
    "birth_day", "first_name_folded", "last_name_folded",
  ]

  static func row(of content: DocumentContent) -> [SQLiteValue] {
    let names = (
      first: content.text(Field.Birthday.firstName), last: content.text(Field.Birthday.lastName)
    )
    let folded = (first: names.first.map(Folding.fold), last: names.last.map(Folding.fold))
    let searchable = [folded.first, folded.last].compactMap(\.self).joined(separator: " ")
    let date = content.date(Field.Birthday.birthdate)
    return CommonColumns.values(of: content, searchable: [searchable]) + [
      SQLiteValue(names.first), SQLiteValue(names.last), SQLiteValue(date?.iso),
      SQLiteValue(content.integer(Field.Birthday.leapRule)),
      SQLiteValue(content.json(Field.Birthday.lead)),
      SQLiteValue(date?.packed), SQLiteValue(date?.month.map(Int64.init)),
      SQLiteValue(date?.day.map(Int64.init)),
      .text(folded.first ?? ""), .text(folded.last ?? ""),
    ]
  }
}
