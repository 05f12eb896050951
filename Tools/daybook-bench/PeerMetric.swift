/// The names of the figures in the scripts in `Tools/peers`.
enum PeerMetric {
  static let note = """
    rates, sizes and syncs are of operations with their times and uids; a sync goes by TLS between two devices and ends \
    when each event is verified, durable and ready to be queried; runs are the 10th percentile, the median \
    and the 90th percentile
    """

  static func name(of figure: String) -> String { names[figure] ?? figure }

  private static let names = [
    "append": "append_durable",
    "append-bulk": "append_bulk",
    "append-bulk-large": "append_bulk_1m",
    "size-uids": "size_100k",
    "size": "size_100k_nouids",
    "size-large": "size_1m",
    "rebuild": "load.full",
    "rebuild-peak": "load.rss",
    "rebuild-large": "load_1m.full",
    "rebuild-peak-large": "load_1m.rss",
    "sync": "sync_full",
    "sync-bytes": "sync_full_bytes",
    "merge-warm": "sync_inc",
    "merge-bytes": "sync_inc_bytes",
    "command-add": "cli_add_10000",
    "command-all": "cli_list_10000",
    "command-done": "cli_done_10000",
    "command-undo": "cli_undo_10000",
  ]
}
