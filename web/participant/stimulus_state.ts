import { signal } from '@preact/signals';

/** Whether the sheet with the concept is pulled up, on screens where it is a sheet. */
export const pulledUp = signal(true);
