// How the answer at hand comes about, as far as the page can tell: see telemetry in openapi/participant.yaml. Only single
// keys count as typed, so that dictation and devices that help to write are counted in nothing.
import type { Telemetry } from '../shared/protocol';

const none: Telemetry = { pasted: 0, typed: 0, seconds: 0, blurs: 0 };
const inserted = ['insertFromPaste', 'insertFromDrop', 'insertFromYank'];

let now = { ...none };
let first = 0; // ms, of what was put into the field

/** Begins to watch; call it once. */
export function watch(): void {
  document.addEventListener('input', (e) => {
    if (!(e instanceof InputEvent) || !(e.target instanceof HTMLTextAreaElement)) return;
    first ||= performance.now();
    now.seconds = Math.round((performance.now() - first) / 1000);
    const text = e.data ?? e.dataTransfer?.getData('text/plain') ?? '';
    if (inserted.includes(e.inputType)) now.pasted += text.length;
    else if (e.inputType === 'insertText' && text.length <= 2) now.typed += text.length;
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') now.blurs++;
  });
}

/** Begins anew, for another step. */
export function reset(): void {
  now = { ...none };
  first = 0;
}

const most = 1_000_000; // of each number, as the server takes them

/** What is known of the answer so far; nothing where there is nothing to tell. */
export function telemetry(): { telemetry?: Telemetry } {
  if (Object.values(now).every((n) => n === 0)) return {};
  return { telemetry: { pasted: Math.min(now.pasted, most), typed: Math.min(now.typed, most), seconds: Math.min(now.seconds, most), blurs: Math.min(now.blurs, most) } };
}
