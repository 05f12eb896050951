package import Domain

/// The subject of a query for all rows of a kind.
package enum Everything: Hashable, Sendable {
  case all
}

/// The division of birthdays into sections.
package enum BirthdayDivision: Hashable, Sendable {
  /// By the first letter of the last name, without diacritics; missing names first.
  case initial
  /// By month; birthdays without a month last.
  case month
}

extension Query where Row == BirthdayRow {
  /// All birthdays, by name if no order is given.
  package static func birthdays(
    by order: BirthdayOrder = .name, in division: BirthdayDivision? = nil
  ) -> Query {
    Query(.all, by: order, in: division)
  }
}

extension BirthdayRow: QueryRow {
  package static let kinds: Set<Kind> = [.birthday]

  package static func rows(
    of subject: Everything, by order: BirthdayOrder, in tables: TableConnection
  ) throws(ReadModelError) -> [BirthdayRow] {
    try BirthdayQueries(tables: tables).birthdays(by: order)
  }

  package func section(in division: BirthdayDivision) -> SectionKey {
    switch division {
    case .initial:
      let letter = Folding.fold(lastName ?? "").first.map { String($0) } ?? ""
      return SectionKey(order: letter, title: letter.uppercased())
    case .month:
      guard let month = birthdate?.month else { return SectionKey(rank: .max) }
      return SectionKey(rank: Int64(month), title: String(month))
    }
  }

  package var withoutKeys: BirthdayRow {
    BirthdayRow(
      head: head.withoutKey, firstName: firstName, lastName: lastName, birthdate: birthdate,
      leapRule: leapRule, lead: lead)
  }
}
