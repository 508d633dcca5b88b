const paths = {
  check: 'M3 8.5 6.5 12 13 4.5',
  dot: 'M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z',
  pen: 'M3 13l.6-2.8L10.4 3.4l2.2 2.2L5.8 12.4 3 13Z',
  stop: 'M4.5 4.5h7v7h-7Z',
  cross: 'M4 4l8 8M12 4l-8 8',
  clock: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM8 5v3l2 1.5',
  hidden: 'M2 8s2.2-4 6-4 6 4 6 4-2.2 4-6 4-6-4-6-4ZM3 13 13 3',
  warning: 'M8 2.5 14 13H2L8 2.5ZM8 6.5v3M8 11.2v.3',
  play: 'M5 3.5v9l7.5-4.5L5 3.5Z',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  back: 'M10 3.5 5.5 8l4.5 4.5',
  forward: 'M6 3.5 10.5 8 6 12.5',
  plus: 'M8 3.5v9M3.5 8h9',
  down: 'M8 3v9.5M4 9l4 4 4-4',
  up: 'M8 13V3.5M4 7l4-4 4 4',
  sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6ZM8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5Z',
  system: 'M2.5 3.5h11v7.5h-11ZM6 13.5h4',
  leave: 'M6.5 3H3.5v10h3M7 8h6.5M11 5.5 13.5 8 11 10.5',
} as const;

export type IconName = keyof typeof paths;

/** A drawing beside words; assistive technology skips it. */
export function Icon({ name }: { name: IconName }) {
  return <svg class={name === 'dot' ? 'icon dot' : 'icon'} viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d={paths[name]} /></svg>;
}
