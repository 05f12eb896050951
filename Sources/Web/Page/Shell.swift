import Bytes
import HTTP
import Phrasing

/// The document around a leaf, which works with or without `page.js`.
struct Shell {
  /// The path of the page, with its key.
  let base: String
  let build: String
  var title: String
  var address: ViewAddress
  var revision: String
  /// The status of the book; nil if it could not be read.
  var status: PageStatus?

  /// The leaves in the order of their links.
  private static let leaves: [(name: ViewAddress.Name, icon: String, words: String)] = [
    (.today, "today", "Today"), (.lists, "lists", "Lists"),
    (.birthdays, "birthdays", "Birthdays"), (.questions, "choose", "Choose"),
    (.history, "history", "History"), (.conflicts, "conflicts", "Conflicts"),
    (.devices, "devices", "Devices"), (.settings, "settings", "Settings"),
  ]
  /// The number of links that fit below the leaf on a phone.
  private static let tabs = 4

  private var query: String { address.query }

  func document(_ leaf: HTML) -> [UInt8] {
    let isRoomy = [.history, .conflicts, .devices, .settings].contains(address.name)
    let body: HTML = .element(
      "body", ["class": isRoomy ? "roomy" : nil],
      .element("a", ["class": "skip", "href": "#main"], "Skip to the content"),
      .element(
        "header", ["class": "bar"],
        .element("a", ["class": "brand", "href": base + query], .icon("brand", base), "daybook"),
        standing),
      .element("nav", ["class": "side", "aria-label": "Book"], links(Self.leaves)),
      .element("main", ["id": "main", "tabindex": "-1"], banner, leaf),
      .element(
        "nav", ["class": "tabs", "aria-label": "Pages"],
        links(
          Self.leaves.prefix(Self.tabs) + [(.settings, "settings", "More")])))
    return HTML.element(
      "html",
      [
        "lang": "en", "class": address.moment == nil ? nil : "past",
        "data-view": address.name.text, "data-base": base, "data-build": build,
        "data-revision": revision,
      ], head, body
    ).document()
  }

  private var head: HTML {
    // The modules are preloaded in the head, so they load in parallel rather than one after another.
    let modules: [HTML] = AssetFiles.modules.map { name in
      .element("link", ["rel": "modulepreload", "href": asset(name)])
    }
    return .element(
      "head", [:],
      [
        .element("meta", ["charset": "utf-8"]),
        .element("title", [:], HTML("\(title) · daybook")),
        .element(
          "meta",
          [
            "name": "viewport", "content": "width=device-width,initial-scale=1,viewport-fit=cover",
          ]),
        .element("meta", ["name": "color-scheme", "content": "light dark"]),
        .element("link", ["rel": "icon", "href": asset("icon.svg"), "type": "image/svg+xml"]),
      ] + AssetFiles.styles.map { .element("link", ["rel": "stylesheet", "href": asset($0)]) } + [
        // This script runs before the first paint, so the chosen colours apply immediately.
        .element("script", ["src": asset("theme.js")])
      ] + modules + [.element("script", ["type": "module", "src": asset("page.js")])])
  }

  /// The link with the status of the book, so that a loss is visible on every page.
  ///
  /// `page.js` renders the same element, so change both together.
  private var standing: HTML {
    guard let status else { return .nothing }
    let shape = status.state == .alone ? PageStatus.State.inStep : status.state
    return .element(
      "a", ["class": "status", "href": base + "devices" + query],
      .picture(shape.rawValue, "shape \(status.state.rawValue)", base),
      .element("span", [:], HTML(status.words)))
  }

  private var banner: HTML {
    guard let moment = address.moment else { return .nothing }
    return .element(
      "div", ["class": "banner past", "role": "region", "aria-label": "The past"],
      .element(
        "p", [:], .element("b", [:], "The book as it was"),
        HTML(" \(Instant.text(moment)). Read only.")),
      .element("a", ["class": "btn main", "href": base + address.name.path], "Back to now"))
  }

  private func links(
    _ leaves: some Sequence<(name: ViewAddress.Name, icon: String, words: String)>
  )
    -> HTML
  {
    let items: [HTML] = leaves.map { name, icon, words in
      .element(
        "li", [:],
        .element(
          "a",
          [
            "href": base + name.path + query,
            "aria-current": name == address.name ? "page" : nil,
          ], .icon(icon, base), HTML(words)))
    }
    return .element("ul", [:], items)
  }

  private func asset(_ name: String) -> String { "\(base)assets/\(name)" }
}

extension HTML {
  /// Returns a decorative picture from the sprite, hidden from screen readers.
  static func icon(_ name: String, _ base: String) -> HTML { picture(name, "icon", base) }

  static func picture(_ name: String, _ kind: String, _ base: String) -> HTML {
    .element(
      "svg", ["class": kind, "aria-hidden": "true"],
      .element("use", ["href": "\(base)assets/icons.svg#\(name)"]))
  }
}

extension ViewAddress {
  /// The query for links from this address, which preserves the time that is shown.
  var query: String {
    moment.map { "?at=" + PercentEncoding.encoded(Instant.exactText($0)) } ?? ""
  }
}
