#include <sqlite3.h>
#include <sys/stat.h>

// `SQLITE_TRANSIENT` is a cast of -1 to a function pointer, which Swift cannot import.
static inline sqlite3_destructor_type daybook_sqlite_transient(void) {
  return SQLITE_TRANSIENT;
}

// Whether the path leads to a regular file or to nothing. If the path cannot be examined, SQLite cannot open it either
// and reports the reason.
static inline int daybook_sqlite_is_plain(const char *path) {
  struct stat status;
  return stat(path, &status) != 0 || S_ISREG(status.st_mode);
}

// Calls a variadic function, which Swift cannot do. If SQLite counted its memory, each allocation would take a lock.
static inline int daybook_sqlite_count_no_memory(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// Calls a variadic function. The write-ahead log then keeps its content when the connection is closed.
static inline int daybook_sqlite_leave_log(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

// Calls a variadic function. The schema can then neither run code nor be written directly.
static inline int daybook_sqlite_distrust(sqlite3 *database) {
  static const struct { int what, value; } settings[] = {
    {SQLITE_DBCONFIG_DEFENSIVE, 1},      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
    {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}, {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
    {SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0},
  };
  for (unsigned place = 0; place < sizeof settings / sizeof settings[0]; place++) {
    int code = sqlite3_db_config(database, settings[place].what, settings[place].value, (int *)0);
    if (code != SQLITE_OK) return code;
  }
  // Virtual tables are disabled too.
  return sqlite3_drop_modules(database, (const char **)0);
}
