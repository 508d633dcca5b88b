// Numbers, times and dates as people read them.
import { language } from './words';

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000], ['month', 2_592_000], ['day', 86_400], ['hour', 3600], ['minute', 60],
];

/** Returns a number with the separators of the language. */
export const number = (n: number): string => new Intl.NumberFormat(language).format(n);

/** Returns a score from 1 to 5 with one decimal. */
export const score = (n: number): string => new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(n);

/** Returns a length of time as 9:12, or 1:02:03 from an hour on. */
export function duration(seconds: number): string {
  const total = Math.max(0, Math.floor(seconds));
  const [hours, minutes, rest] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  const two = (n: number) => String(n).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** Returns how long ago a time was, in the greatest unit that fits: 2 minutes ago. */
export function ago(time: string, now: number): string {
  const seconds = (Date.parse(time) - now) / 1000;
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  }
  return relative.format(0, 'second');
}

/** Returns a date and time in the reader's time zone. */
export const dateTime = (time: string): string => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(time));

/** Returns a date in the reader's time zone. */
export const date = (time: string): string => new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(new Date(time));

/** Returns the browser and system that a User-Agent names, as people call them; the User-Agent itself when it is another. */
export function browserName(userAgent: string): string {
  const browser = [['Edg', 'Edge'], ['OPR', 'Opera'], ['Firefox', 'Firefox'], ['Chrome', 'Chrome'], ['Version', 'Safari']]
    .find(([token]) => userAgent.includes(`${token}/`))?.[1];
  const system = [['Android', 'Android'], ['iPhone', 'iPhone'], ['iPad', 'iPad'], ['Windows', 'Windows'], ['Mac OS', 'macOS'], ['CrOS', 'ChromeOS'], ['Linux', 'Linux']]
    .find(([token]) => userAgent.includes(token ?? ''))?.[1];
  return [browser, system].filter(Boolean).join(' · ') || userAgent;
}

/** Returns a number of bytes in the greatest unit that fits, from kilobytes on. */
export function bytes(n: number): string {
  const sizes = ['kilobyte', 'megabyte', 'gigabyte'] as const;
  const unit = n < 1e6 ? 0 : n < 1e9 ? 1 : 2;
  const value = n / 1000 ** (unit + 1);
  return new Intl.NumberFormat(language, { style: 'unit', unit: sizes[unit] ?? 'gigabyte', unitDisplay: 'short', maximumFractionDigits: value < 10 ? 1 : 0 }).format(value);
}
