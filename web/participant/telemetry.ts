// Counts how the current answer is entered: see telemetry in openapi/participant.yaml. Only single keys count as typed, so that text from
// dictation and assistive devices is not counted at all.
import type { Telemetry } from '../shared/protocol';
import { limits } from '../shared/rules';

type Counts = Record<keyof Telemetry, number>;

const none: Counts = { pasted: 0, typed: 0, seconds: 0, blurs: 0 };
const inserted = ['insertFromPaste', 'insertFromDrop', 'insertFromYank'];
const atMost = (n: number): number => Math.min(n, limits.telemetryCount);

export class AnswerTelemetry {
  #counts: Counts = { ...none };
  #first = 0; // ms, of the first input

  /** Starts to listen for input. Call it once. */
  watch(): void {
    document.addEventListener('input', (e) => {
      if (!(e instanceof InputEvent) || !(e.target instanceof HTMLTextAreaElement)) return;
      this.#first ||= performance.now();
      this.#counts.seconds = Math.round((performance.now() - this.#first) / 1000);
      const text = e.data ?? e.dataTransfer?.getData('text/plain') ?? '';
      if (inserted.includes(e.inputType)) this.#counts.pasted += text.length;
      else if (e.inputType === 'insertText' && text.length <= 2) this.#counts.typed += text.length;
    });
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') this.#counts.blurs++;
    });
  }

  /** Starts over, for another step. */
  reset(): void {
    this.#counts = { ...none };
    this.#first = 0;
  }

  /** Returns the telemetry of the answer so far, as a part of its body; an empty object where nothing was counted. */
  read(): { telemetry?: Telemetry } {
    const { pasted, typed, seconds, blurs } = this.#counts;
    if ([pasted, typed, seconds, blurs].every((n) => n === 0)) return {};
    return { telemetry: { pasted: atMost(pasted), typed: atMost(typed), seconds: atMost(seconds), blurs: atMost(blurs) } };
  }
}
