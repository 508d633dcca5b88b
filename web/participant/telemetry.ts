// Counts how the current answer is entered: see telemetry in openapi/participant.yaml. Only single keys count as typed, so that text from
// dictation and assistive devices is not counted at all.
import type { Telemetry } from '../shared/protocol';

const none: Telemetry = { pasted: 0, typed: 0, seconds: 0, blurs: 0 };
const inserted = ['insertFromPaste', 'insertFromDrop', 'insertFromYank'];

let now = { ...none };
let first = 0; // ms, of the first input

/** Starts to listen for input. Call it once. */
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

/** Starts over, for another step. */
export function reset(): void {
  now = { ...none };
  first = 0;
}

const maxCount = 1_000_000; // of each number, as maxCounted in internal/api/participant

/** Returns the telemetry of the answer so far; an empty object where nothing was counted. */
export function telemetry(): { telemetry?: Telemetry } {
  if (Object.values(now).every((n) => n === 0)) return {};
  const { pasted, typed, seconds, blurs } = now;
  return {
    telemetry: {
      pasted: Math.min(pasted, maxCount), typed: Math.min(typed, maxCount), seconds: Math.min(seconds, maxCount), blurs: Math.min(blurs, maxCount),
    },
  };
}
