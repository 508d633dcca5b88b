const paths = {
  check: 'M3 8.5 6.5 12 13 4.5',
  dot: 'M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z',
  pen: 'M3 13l.6-2.8L10.4 3.400l2.200 2.200L5.800 12.400 3 13Z',
  stop: 'M4.500 4.500h7v7h-7Z',
  cross: 'M4 4l8 8M12 4l-8 8',
  clock: 'M8 2.500a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11ZM8 5v3l2 1.500',
  hidden: 'M2 8s2.200-4 6-4 6 4 6 4-2.200 4-6 4-6-4-6-4ZM3 13 13 3',
  warning: 'M8 2.500 14 13H2L8 2.500ZM8 6.500v3M8 11.200v.3',
  play: 'M5 3.500v9l7.500-4.500L5 3.500Z',
  pause: 'M5.500 3.500v9M10.500 3.500v9',
  back: 'M10 3.500 5.500 8l4.500 4.500',
  forward: 'M6 3.500 10.500 8 6 12.500',
  up: 'M8 13V3.500M4 7l4-4 4 4',
  sun: 'M8 5.200a2.800 2.800 0 1 0 0 5.600 2.800 2.800 0 0 0 0-5.600ZM8 1.500v1.300M8 13.200v1.300M1.500 8h1.300M13.200 8h1.300M3.400 3.400l.9.9M11.700 11.700l.9.9M12.600 3.400l-.9.9M4.300 11.700l-.9.9',
  moon: 'M13 9.500A5.500 5.500 0 0 1 6.500 3 5.500 5.500 0 1 0 13 9.500Z',
  system: 'M2.500 3.500h11v7.500h-11ZM6 13.500h4',
  leave: 'M6.500 3H3.500v10h3M7 8h6.500M11 5.500 13.500 8 11 10.500',
} as const;

export type IconName = keyof typeof paths;

/** A drawing beside words; assistive technology skips it. */
export function Icon({ name }: { name: IconName }) {
  return <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d={paths[name]} /></svg>;
}
