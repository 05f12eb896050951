/// The files in the assets folder, by the names under which browsers request them.
enum AssetFiles {
  static let all: [(name: String, bytes: [UInt8])] = [
    ("book.js", PackageResources.book_js),
    ("dom.js", PackageResources.dom_js),
    ("forms.js", PackageResources.forms_js),
    ("gradient.js", PackageResources.gradient_js),
    ("icon.svg", PackageResources.icon_svg),
    ("icons.svg", PackageResources.icons_svg),
    ("keys.js", PackageResources.keys_js),
    ("page.css", PackageResources.page_css),
    ("page.js", PackageResources.page_js),
    ("server.js", PackageResources.server_js),
    ("theme.js", PackageResources.theme_js),
    ("views.js", PackageResources.views_js),
  ]

  /// The style sheets to which a document links.
  static let styles = ["page.css"]

  /// The modules of the script.
  static let modules = all.map(\.name).filter { $0.hasSuffix(".js") && $0 != "theme.js" }
}
