// The words of the pages of webhooks.
import english from './words/webhooks.en.json';
import { vocabulary } from './words';

export type WebhookKey = keyof typeof english;

export const { t: tw, known: knownEvent, count: countw } = vocabulary<WebhookKey>(english);
