// Runs before the first paint: the reader's theme, where one was chosen.
try {
  const { theme } = JSON.parse(localStorage.getItem("daybook") || "{}");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch { /* No storage: the theme follows the system. */ }
