import { signal } from '@preact/signals';

/** Whether the drawer with the concept is pulled up, on screens where it is a drawer. */
export const pulledUp = signal(true);
