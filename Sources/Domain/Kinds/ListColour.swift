/// The colours of lists that are added without a colour.
package enum ListColour {
  /// The colours as 0xRRGGBB, in the order in which they are used.
  package static let palette: [Int64] = [
    0x2F6F6A, 0x3D4F8F, 0xA4552A, 0x8A3A44, 0x6A5480, 0x5F7431,
  ]

  /// The colour for a new list: the colour that the fewest lists have, or the first of several such colours.
  ///
  /// - Parameter counts: The number of living lists with each colour.
  /// - Returns: The colour.
  package static func next(after counts: [Int64: Int]) -> Int64 {
    palette.min { counts[$0, default: 0] < counts[$1, default: 0] } ?? palette[0]
  }
}
