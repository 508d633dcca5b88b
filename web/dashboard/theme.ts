// Runs before the page is drawn, so that a dark page does not flash light.
{
  let theme = null;
  try {
    theme = localStorage.getItem('verbatim.theme');
  } catch {
    // nothing is stored in this browser
  }
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
}
