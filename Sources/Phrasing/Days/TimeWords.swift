import Domain

/// Reads times of day in all languages: `17:00`, `5:30 pm`, `mittags`, `晚上8点半`.
enum TimeWords {
  /// Text without the time at its end or beginning, and that time.
  struct Split {
    let rest: String
    let minutes: Int
  }

  /// Returns the minutes after midnight that the text means.
  ///
  /// Values of 1,440 or more mean the next day.
  static func minutes(_ text: String) -> Int? {
    minutes(Array(text.unicodeScalars)[...], in: DayLanguages.reading(text))
  }

  private static func minutes(
    _ letters: ArraySlice<Unicode.Scalar>, in languages: [DayLanguage]
  ) -> Int? {
    for language in languages {
      if let minutes = language.minutes(letters) { return minutes }
    }
    return nil
  }

  /// Returns every way to split a time from the text, with the longest time first.
  static func splits(of text: String) -> [Split] {
    let letters = Array(text.unicodeScalars)
    let places = places(in: letters)
    let languages = DayLanguages.reading(text)
    return places.compactMap { split(letters[$0...], from: letters[..<$0], in: languages) }
      + places.reversed().compactMap { split(letters[..<$0], from: letters[$0...], in: languages) }
  }

  /// Returns the places where a time can begin or end, from the beginning of the text.
  private static func places(in letters: [Unicode.Scalar]) -> [Int] {
    var places: [Int] = []
    var run: [Int] = []
    for place in letters.indices.dropFirst() {
      let (before, letter) = (letters[place - 1], letters[place])
      if before.isDigit, letter.isDigit { continue }
      // In 下周二十点, 周二 is the day, so within a Chinese number, the shorter time comes first.
      if !letter.isASCII, letter.properties.numericType != nil {
        run.insert(place, at: 0)
      } else {
        places += run
        places.append(place)
        run = []
      }
    }
    return places + run
  }

  private static func split(
    _ time: ArraySlice<Unicode.Scalar>, from rest: ArraySlice<Unicode.Scalar>,
    in languages: [DayLanguage]
  ) -> Split? {
    guard let minutes = minutes(time.trimmed, in: languages) else { return nil }
    return Split(rest: String(String.UnicodeScalarView(rest)).trimmed, minutes: minutes)
  }
}

extension ArraySlice<Unicode.Scalar> {
  /// The letters without a space at either end.
  ///
  /// Normalized text contains no other white space.
  fileprivate var trimmed: Self {
    var rest = first == " " ? dropFirst() : self
    if rest.last == " " { rest.removeLast() }
    return rest
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
