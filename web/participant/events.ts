// The interview's server-sent events. Loaded when an answer takes longer than usual to be accepted.
import type { Standing, Step } from '../shared/protocol';

export interface Handlers {
  /** Receives a follow-up as far as it is written, and the id of the step whose answer it follows up. */
  words(stepId: string, text: string): void;
  step(next: Step): void;
}

/** Subscribes until the returned function is called or the connection fails. It does not reconnect: callers do not depend on events. */
export function subscribe(address: string, handlers: Handlers): () => void {
  const source = new EventSource(address);
  const on = <T,>(name: string, handle: (body: T) => void): void =>
    source.addEventListener(name, (e) => handle(JSON.parse((e as MessageEvent<string>).data) as T));
  on<{ stepId: string; text: string }>('words', (body) => handlers.words(body.stepId, body.text));
  on<Standing>('step', (body) => handlers.step(body.step));
  source.onerror = () => source.close();
  return () => source.close();
}
