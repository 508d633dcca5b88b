// The words of the pages of an organization: people, wallets, retention, the audit log, and the parts of the installation.
import english from './words/organization.en.json';
import { vocabulary } from './words';

export type OrganizationKey = keyof typeof english;

export const { t: to, known: knownThere, count: countThere } = vocabulary<OrganizationKey>(english);

/** Returns the keys that begin in a way. */
export const keysThere = (start: string): string[] => Object.keys(english).filter((key) => key.startsWith(start));
