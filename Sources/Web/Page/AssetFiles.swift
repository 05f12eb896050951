/// What the folder of assets holds, by the names under which browsers ask for it.
enum AssetFiles {
  static let all: [(name: String, bytes: [UInt8])] = [
    ("actions.js", PackageResources.actions_js),
    ("book.js", PackageResources.book_js),
    ("conflicts.js", PackageResources.conflicts_js),
    ("details.js", PackageResources.details_js),
    ("dom.js", PackageResources.dom_js),
    ("gradient.js", PackageResources.gradient_js),
    ("history.js", PackageResources.history_js),
    ("icon.svg", PackageResources.icon_svg),
    ("icons.svg", PackageResources.icons_svg),
    ("keys.js", PackageResources.keys_js),
    ("leaf.js", PackageResources.leaf_js),
    ("load.js", PackageResources.load_js),
    ("page.css", PackageResources.page_css),
    ("page.js", PackageResources.page_js),
    ("question.js", PackageResources.question_js),
    ("quickadd.js", PackageResources.quickadd_js),
    ("rows.js", PackageResources.rows_js),
    ("server.js", PackageResources.server_js),
    ("settings.js", PackageResources.settings_js),
    ("shell.js", PackageResources.shell_js),
    ("theme.js", PackageResources.theme_js),
    ("views.css", PackageResources.views_css),
  ]

  /// What a document names; these name all others.
  static let styles = ["page.css"]

  /// The modules of the script.
  static let modules = all.map(\.name).filter { $0.hasSuffix(".js") && $0 != "theme.js" }
}
