// What this browser remembers of its person. Where nothing can be stored, it holds until the page is closed.
import { signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

const themeName = 'verbatim.theme'; // theme.ts reads it before the page is drawn
const lettersName = 'verbatim.letters';

function stored(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function store(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // nothing is stored in this browser
  }
}

const before = stored(themeName);
export const theme = signal<Theme>(before === 'light' || before === 'dark' ? before : 'system');
/** Whether single letters are shortcuts. */
export const letters = signal(stored(lettersName) !== 'off');

const system = matchMedia('(prefers-color-scheme: dark)');

function draw(): void {
  document.documentElement.dataset.theme = theme.value === 'system' ? (system.matches ? 'dark' : 'light') : theme.value;
}

/** Draws the page in its theme, and follows the system's while none is chosen. */
export function followSystem(): void {
  draw();
  system.addEventListener('change', draw);
}

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  store(themeName, chosen);
  draw();
}

export function switchLetters(on: boolean): void {
  letters.value = on;
  store(lettersName, on ? 'on' : 'off');
}
