// Before the first paint: the theme that was chosen.
try {
  const { theme } = JSON.parse(localStorage.daybook);
  if (theme !== "auto") document.documentElement.dataset.theme = theme;
} catch {}
