// The page in a frame of the dashboard: interviews that are not stored. openapi/dashboard.yaml (previewStudy) describes the messages.
import { render } from 'preact';
import type { AnsweredStep, Issue, Standing, Started, Step, Taken } from '../shared/protocol';
import { App } from './app';
import type { Bootstrap } from './bootstrap';
import type { Reply, Send } from './send';
import { loadConsent, openPreview, step } from './session';

/** The body of a request for a preview, as the dashboard sends it. */
interface PreviewRequest {
  language?: string;
  answers?: unknown[];
  answer?: unknown;
  show?: unknown;
  seed?: number;
  parameters?: Record<string, string>;
}

interface Preview {
  bootstrap: Bootstrap;
  brandStyle: string;
  seed: number;
  parameters: Record<string, string>;
  answers: unknown[];
  itemId: string | null;
  conceptId: string | null;
  kind: string;
  reachable: boolean | null;
}

interface Failure { code?: string; error?: string; issues?: Issue[] }

/** Shows what the dashboard asks for, until the page is closed. */
export function listen(study: string): void {
  let request: PreviewRequest = {};
  let shown = 0;

  const tell = (message: object): void => window.parent.postMessage(message, location.origin);

  const ask = async (asked: PreviewRequest): Promise<{ preview: Preview } | { status: number; failure: Failure }> => {
    try {
      const reply = await fetch(`/api/dashboard/studies/${encodeURIComponent(study)}/preview`, {
        method: 'POST', cache: 'no-store', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(asked),
      });
      const body = (await reply.json()) as unknown;
      if (!reply.ok) return { status: reply.status, failure: body as Failure };
      const preview = body as Preview;
      const { answer: _, show: __, ...kept } = asked;
      const { seed, parameters, answers, itemId, conceptId, kind, reachable } = preview;
      request = { ...kept, seed, parameters, ...(kind === 'landing' ? {} : { answers }) };
      tell({ type: 'verbatim.preview.step', seed, answers, itemId, conceptId, kind, reachable });
      return { preview };
    } catch {
      return { status: 0, failure: {} }; // no network, or a page of a proxy instead of JSON
    }
  };

  const show = async (asked: PreviewRequest): Promise<void> => {
    const turn = ++shown;
    const result = await ask(asked);
    if (turn !== shown) return; // something else is to be shown by now
    if ('failure' in result) {
      tell({ type: 'verbatim.preview.failed', status: result.status, code: result.failure.code ?? '', error: result.failure.error ?? '' });
      return;
    }
    const { bootstrap, brandStyle } = result.preview;
    if (bootstrap.front?.consent) await loadConsent();
    document.documentElement.lang = bootstrap.tags.page;
    document.documentElement.dir = bootstrap.direction;
    const brand = new CSSStyleSheet();
    brand.replaceSync(brandStyle);
    document.adoptedStyleSheets = [brand];
    openPreview(bootstrap, `preview-${turn}`, transport);
    render(<App key={turn} bootstrap={bootstrap} />, root);
  };

  /** Answers the requests of the app in place of the server's protocol for participants. */
  const transport: Send = async <T,>(method: 'GET' | 'POST', address: string, body?: unknown): Promise<Reply<T>> => {
    const done = (value: (Started & Standing & Taken) | null): Reply<T> => ({ kind: 'ok', body: value as T });
    const standing = (at: Step, answered: AnsweredStep | null) => done({ token: `preview-${shown}`, step: at, answered, accepting: true, accepted: true });
    if (method === 'GET') return step.value ? standing(step.value, null) : { kind: 'refused', code: '' };
    const starts = address.split('?')[0]?.endsWith('/interviews');
    if (!starts && !address.endsWith('/answers')) return done(null);
    const result = await ask(starts ? { ...request, answers: [] } : { ...request, answers: request.answers ?? [], answer: body });
    if ('failure' in result) {
      const { status, failure } = result;
      if (status === 0 || status === 429 || status >= 500) return { kind: 'retry', after: 0 };
      return { kind: 'invalid', issues: (failure.issues ?? []).map((issue) => ({ ...issue, path: issue.path.slice(1) })) };
    }
    const { step: next, answered } = result.preview.bootstrap;
    return next ? standing(next, answered) : { kind: 'refused', code: '' };
  };

  const root = document.createElement('div');
  root.className = 'app';
  document.body.replaceChildren(root);
  addEventListener('message', (e) => {
    const message = e.data as { type?: string; request?: PreviewRequest } | null;
    if (e.source !== window.parent || e.origin !== location.origin || message?.type !== 'verbatim.preview.show') return;
    void show(message.request ?? {});
  });
  // The page's only form that is not sent by the app chooses the language.
  addEventListener('submit', (e) => {
    e.preventDefault();
    const form = new FormData(e.target as HTMLFormElement, e.submitter);
    const { answers: _, ...landing } = request;
    void show({ ...landing, language: String(form.get('_language') ?? '') });
  }, true);
  tell({ type: 'verbatim.preview.ready' });
}
