// Uploads by the resumable protocol tus 1.0.0. tus-js-client speaks it; what is worth another attempt, and when, is said here.
import { DetailedError, Upload } from 'tus-js-client';
import { backOff, rest } from './patience';

/** An upload that the server refused. */
export class Refused extends Error {
  constructor(readonly status: number, readonly code: string) {
    super(`refused with ${status} ${code}`);
  }
}

/** Bytes of which more may come. slice waits until there are some behind start, and tells whether they are the last. */
export interface Source {
  slice(start: number, end: number): Promise<{ value: Blob; done: boolean }>;
}

export interface Parcel {
  /** Where uploads are made. */
  address: string;
  /** Of the upload, where it was begun before. */
  url?: string | null;
  metadata: Record<string, string>;
  /** How often in a row it may fail for a passing reason. */
  attempts: number;
  signal: AbortSignal;
  /** Told when the upload is there, and with every piece that has arrived. */
  onUrl?(url: string): void;
  onProgress?(bytes: number): void;
}

const chunk = 4 << 20;
/** How often to ask for room for an upload that was not begun, before its sender is told that there is none. */
const roomAttempts = 3;

/** Sends a file, or what becomes one, and gives the upload's address. It goes on where the server stands, whatever came between. */
export async function deliver(what: Blob | Source, parcel: Parcel): Promise<string> {
  const { signal } = parcel;
  let succeed = () => {};
  let fail: (reason: unknown) => void = () => {};
  let attempt = 0;
  const upload = new Upload(what instanceof Blob ? what : new Blob(), {
    ...(what instanceof Blob ? {} : {
      uploadLengthDeferred: true,
      fileReader: { openFile: () => Promise.resolve({ size: 0, slice: (from, to) => what.slice(from, to), close: () => undefined }) },
    }),
    uploadUrl: parcel.url ?? null,
    metadata: parcel.metadata,
    chunkSize: chunk,
    retryDelays: null,
    storeFingerprintForResuming: false,
    fingerprint: () => Promise.resolve(''),
    onUploadUrlAvailable: () => parcel.onUrl?.(upload.url ?? ''),
    onProgress: (bytes) => parcel.onProgress?.(bytes),
    onChunkComplete: () => { attempt = 0; },
    onSuccess: () => succeed(),
    onError: (e) => fail(e),
  });
  const stop = () => {
    void upload.abort();
    fail(signal.reason);
  };
  signal.addEventListener('abort', stop);
  try {
    for (;;) {
      signal.throwIfAborted();
      // With a place to make uploads the client would begin another one whenever this one cannot be asked for; the first would stay open.
      upload.options.endpoint = upload.url ?? upload.options.uploadUrl ? null : new URL(parcel.address, location.href).href;
      try {
        await new Promise<void>((resolve, reject) => {
          succeed = resolve;
          fail = reject;
          upload.start();
        });
        return upload.url ?? '';
      } catch (e) {
        if (signal.aborted || !(e instanceof DetailedError)) throw e;
        const refused = refusalOf(e);
        if (refused) throw refused;
        if (isGone(e)) upload.url = upload.options.uploadUrl = null;
        if (++attempt >= parcel.attempts) throw e;
        // Whoever waits to begin can answer in another way, and is told soon. What was begun is sent when there is room again.
        const waits = e.originalResponse?.getStatus() === noRoom && !upload.url && !upload.options.uploadUrl;
        if (waits && attempt >= roomAttempts) throw new Refused(noRoom, codeOf(e.originalResponse?.getBody() ?? ''));
        const after = waits ? 0 : Number(e.originalResponse?.getHeader('Retry-After')) * 1000 || 0;
        await rest(backOff(attempt, after), signal);
      }
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The status of a server that has no room for uploads. */
const noRoom = 507;

/** Whether the upload that was asked for is not there any more, and may be begun anew. */
const isGone = (e: DetailedError): boolean => [404, 410].includes(e.originalResponse?.getStatus() ?? 0);

/** Null where another attempt may go well: no network, a busy server, another request on the same upload, one that is begun anew. */
function refusalOf(e: DetailedError): Refused | null {
  const status = e.originalResponse?.getStatus() ?? 0;
  const code = codeOf(e.originalResponse?.getBody() ?? '');
  const asked = e.originalRequest.getMethod() === 'HEAD'; // whose answer has no code
  const passing = status === 0 || asked && isGone(e) || status >= 500 || [408, 423, 429].includes(status) || ['offset_conflict', 'upload_gone', 'upload_not_found'].includes(code);
  return passing ? null : new Refused(status, code);
}

/** The code of an error's body; empty where there is none, as under HEAD. */
function codeOf(body: string): string {
  try {
    return (JSON.parse(body) as { code?: string }).code ?? '';
  } catch {
    return '';
  }
}

/** The id of an upload, by its address. */
export const idOf = (url: string): string => url.split('/').pop() ?? '';

/** Sends a file and gives the upload's id. */
export async function upload(
  address: string, file: Blob, metadata: Record<string, string>, progress: (part: number) => void, signal: AbortSignal,
): Promise<string> {
  return idOf(await deliver(file, { address, metadata, signal, attempts: 6, onProgress: (bytes) => progress(bytes / (file.size || 1)) }));
}

/** Takes an upload back; false when the server could not be asked. What it says about it then is the end of it in any case. */
export async function remove(url: string): Promise<boolean> {
  try {
    await Upload.terminate(url, { retryDelays: null });
    return true;
  } catch (e) {
    return e instanceof DetailedError && (refusalOf(e) !== null || isGone(e));
  }
}

/** Takes an upload back. Where that fails it expires. */
export async function terminate(address: string, id: string): Promise<void> {
  await remove(new URL(`${address}/${id}`, location.href).href);
}
