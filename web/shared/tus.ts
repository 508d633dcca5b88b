// A client of the resumable upload protocol tus 1.0.0: creation, and the core protocol to send and resume.

/** An upload that the server refused. */
export class Refused extends Error {
  constructor(readonly status: number, readonly code: string) {
    super(`refused with ${status} ${code}`);
  }
}

const chunk = 4 << 20;
const attempts = 6;
const version = { 'Tus-Resumable': '1.0.0' };

/** Sends a file and gives the upload's id. A broken connection is tried again from where the server stands. */
export async function upload(
  address: string, file: Blob, metadata: Record<string, string>, progress: (part: number) => void, signal: AbortSignal,
): Promise<string> {
  const created = await again(signal, () => ask(address, {
    method: 'POST', signal, headers: { ...version, 'Upload-Length': String(file.size), 'Upload-Metadata': encode(metadata) },
  }));
  const at = new URL(created.headers.get('Location') ?? '', new URL(address, location.href));
  let offset = 0;
  let unsure = false;
  while (offset < file.size) {
    offset = await again(signal, async () => {
      if (unsure) {
        const standing = await ask(at, { method: 'HEAD', signal, headers: version });
        const known = Number(standing.headers.get('Upload-Offset'));
        unsure = false;
        if (known !== offset) return known;
      }
      unsure = true;
      const sent = await ask(at, {
        method: 'PATCH', signal, body: file.slice(offset, offset + chunk),
        headers: { ...version, 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' },
      });
      unsure = false;
      return Number(sent.headers.get('Upload-Offset'));
    });
    progress(offset / file.size);
  }
  return at.pathname.split('/').pop() ?? '';
}

async function ask(address: string | URL, request: RequestInit): Promise<Response> {
  const reply = await fetch(address, request);
  if (!reply.ok) throw new Refused(reply.status, await codeOf(reply));
  return reply;
}

/** The code of an error's body; empty where there is none, as under HEAD. */
async function codeOf(reply: Response): Promise<string> {
  try {
    return ((await reply.json()) as { code?: string }).code ?? '';
  } catch {
    return '';
  }
}

/** Takes an upload back. Where that fails it expires. */
export async function terminate(address: string, id: string): Promise<void> {
  await fetch(`${address}/${id}`, { method: 'DELETE', headers: version }).catch(() => undefined);
}

/** Tries again with growing pauses what a network, a busy server or another request on the same upload stood in the way of. */
async function again<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (e) {
      const passing = !(e instanceof Refused) || e.status >= 500 || [409, 423, 429].includes(e.status);
      if (signal.aborted || !passing || attempt === attempts) throw e;
      await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** attempt));
    }
  }
}

/** Upload-Metadata: keys with their values in base64 of UTF-8. */
function encode(metadata: Record<string, string>): string {
  return Object.entries(metadata)
    .map(([key, value]) => `${key} ${btoa(String.fromCharCode(...new TextEncoder().encode(value)))}`)
    .join(',');
}
