// Loads the parts of the page that only studies with a consent of their own need.
export let part: typeof import('./consent') | null = null;

/** Loads them; the page needs them before it can show the consent. */
export async function loadConsent(): Promise<void> {
  part ??= await import('./consent');
}
