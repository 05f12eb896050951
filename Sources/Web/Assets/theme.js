// Applies the chosen theme before the first paint.
try {
  const { theme } = JSON.parse(localStorage.daybook);
  if (theme !== "auto") document.documentElement.dataset.theme = theme;
} catch {}
