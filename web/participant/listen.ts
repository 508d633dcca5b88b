// What the server tells of an interview while it happens. Loaded when an answer is on its way for longer than usual.
import type { Step } from '../shared/protocol';

export interface Listener {
  /** A follow-up as far as it is written, and the step whose answer it follows up. */
  words(stepId: string, text: string): void;
  step(next: Step): void;
}

/** Listens until the function that comes back is called, or the connection fails: whoever listens does not depend on it. */
export function listen(address: string, to: Listener): () => void {
  const source = new EventSource(address);
  const on = <T,>(name: string, tell: (body: T) => void): void =>
    source.addEventListener(name, (e) => tell(JSON.parse((e as MessageEvent<string>).data) as T));
  on<{ stepId: string; text: string }>('words', (body) => to.words(body.stepId, body.text));
  on<{ step: Step }>('step', (body) => to.step(body.step));
  source.onerror = () => source.close();
  return () => source.close();
}
