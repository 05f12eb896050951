// Phrasing adds to the words for errors, so its users have both.
@_exported public import Wording
