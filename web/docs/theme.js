// Follows the device's light or dark mode. Loaded before the page is drawn, so that the page does not flash.
const dark = matchMedia('(prefers-color-scheme: dark)');
const update = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', update);
update();
