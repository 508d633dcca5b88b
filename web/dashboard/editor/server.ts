// The working copy at the server.
import { api, ask, type Schemas } from '../api';
import type { Server } from './copy';
import type { Guide } from './guide';

/** Returns the server's side of a study's working copy. */
export function draftOf(link: string): Server {
  const path = { studyRef: link };
  return {
    load: () => ask(api.GET('/api/dashboard/studies/{studyRef}/draft', { params: { path } })),
    save: async (guide: Guide, version: number) => {
      const sent = api.PUT('/api/dashboard/studies/{studyRef}/draft', { params: { path, header: { 'If-Match': `"${version}"` } }, body: { guide: guide as unknown as Schemas['Guide'] } });
      const reply = await sent.catch(() => null);
      if (reply?.response.status === 412) return { newer: (reply.error as unknown as { draft: Schemas['Draft'] }).draft };
      return { saved: await ask(reply ? Promise.resolve(reply) : sent) };
    },
    now: () => Date.now(),
    later: (milliseconds, run) => {
      const timer = setTimeout(run, milliseconds);
      return () => clearTimeout(timer);
    },
  };
}
