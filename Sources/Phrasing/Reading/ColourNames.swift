/// Common colours, by their names in style sheets.
enum ColourNames {
  private static let known: [String: Int64] = [
    "black": 0x000000, "blue": 0x0000FF, "brown": 0xA52A2A, "crimson": 0xDC143C, "cyan": 0x00FFFF,
    "gold": 0xFFD700, "gray": 0x808080, "green": 0x008000, "grey": 0x808080, "indigo": 0x4B0082,
    "lime": 0x00FF00, "magenta": 0xFF00FF, "maroon": 0x800000, "navy": 0x000080, "olive": 0x808000,
    "orange": 0xFFA500, "pink": 0xFFC0CB, "purple": 0x800080, "red": 0xFF0000, "salmon": 0xFA8072,
    "silver": 0xC0C0C0, "teal": 0x008080, "turquoise": 0x40E0D0, "violet": 0xEE82EE,
    "white": 0xFFFFFF, "yellow": 0xFFFF00,
  ]

  static func colour(of name: String) -> Int64? { known[name.lowercased()] }
}
