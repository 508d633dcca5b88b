// Uploads by the resumable upload protocol tus 1.0.0. tus-js-client implements it; this file decides what is retried, and when.
import { DetailedError, Upload } from 'tus-js-client';
import { backoffDelay, waitForRetry } from './retry';

/** An upload that the server refused. */
export class UploadRefused extends Error {
  constructor(readonly status: number, readonly code: string) {
    super(`refused with ${status} ${code}`);
  }
}

/** Bytes that may still grow. slice waits until there are some after start, and reports in done whether they are the last. */
export interface Source {
  slice(start: number, end: number): Promise<{ value: Blob; done: boolean }>;
}

export interface UploadOptions {
  /** The path where uploads are created. */
  address: string;
  /** The upload's address, where it was created before. */
  url?: string | null;
  metadata: Record<string, string>;
  /** How many attempts in a row may fail for a temporary reason. */
  maxAttempts: number;
  signal: AbortSignal;
  /** Called when the upload is created or found again. */
  onUrl?(url: string): void;
  /** Called with the bytes that have arrived so far. */
  onProgress?(bytes: number): void;
}

const chunkSize = 4 << 20; // bytes
/** How many attempts to create an upload may fail because the server has no room, before it counts as refused. */
const maxNoRoomAttempts = 3;

/** Sends a file or a growing source and returns the upload's address. After an interruption it resumes at the server's offset. */
export async function sendUpload(content: Blob | Source, options: UploadOptions): Promise<string> {
  const { signal } = options;
  let succeed = () => {};
  let fail: (reason: unknown) => void = () => {};
  let attempt = 0;
  const upload = new Upload(content instanceof Blob ? content : new Blob(), {
    ...(content instanceof Blob ? {} : {
      uploadLengthDeferred: true,
      fileReader: { openFile: () => Promise.resolve({ size: 0, slice: (from, to) => content.slice(from, to), close: () => undefined }) },
    }),
    uploadUrl: options.url ?? null,
    metadata: options.metadata,
    chunkSize,
    retryDelays: null,
    storeFingerprintForResuming: false,
    fingerprint: () => Promise.resolve(''),
    onUploadUrlAvailable: () => options.onUrl?.(upload.url ?? ''),
    onProgress: (bytes) => options.onProgress?.(bytes),
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
      // With an endpoint, the client would create another upload whenever it cannot find this one; the first would stay open.
      upload.options.endpoint = upload.url ?? upload.options.uploadUrl ? null : new URL(options.address, location.href).href;
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
        if (++attempt >= options.maxAttempts) throw e;
        // Where no upload was created yet, the participant can answer in another way, and learns that soon. A created upload is sent when there
        // is room again.
        const waits = e.originalResponse?.getStatus() === noRoom && !upload.url && !upload.options.uploadUrl;
        if (waits && attempt >= maxNoRoomAttempts) throw new UploadRefused(noRoom, codeOf(e.originalResponse?.getBody() ?? ''));
        const after = waits ? 0 : Number(e.originalResponse?.getHeader('Retry-After')) * 1000 || 0;
        await waitForRetry(backoffDelay(attempt, after), signal);
      }
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The status of a server that has no room for uploads: Insufficient Storage. */
const noRoom = 507;

/** Reports whether the upload no longer exists, so that it may be created again. */
const isGone = (e: DetailedError): boolean => [404, 410].includes(e.originalResponse?.getStatus() ?? 0);

/** Returns null where another attempt may succeed: no network, a busy server, another request on the same upload, or an upload to create again. */
function refusalOf(e: DetailedError): UploadRefused | null {
  const status = e.originalResponse?.getStatus() ?? 0;
  const code = codeOf(e.originalResponse?.getBody() ?? '');
  const head = e.originalRequest.getMethod() === 'HEAD'; // its response has no body, so no code
  const temporary = status === 0 || head && isGone(e) || status >= 500 || [408, 423, 429].includes(status)
    || ['offset_conflict', 'upload_gone', 'upload_not_found'].includes(code);
  return temporary ? null : new UploadRefused(status, code);
}

/** Returns the code in an error's body; "" where there is none, as after HEAD. */
function codeOf(body: string): string {
  try {
    return (JSON.parse(body) as { code?: string }).code ?? '';
  } catch {
    return '';
  }
}

/** Returns the id of an upload, which ends its address. */
export const idOf = (url: string): string => url.split('/').pop() ?? '';

/** Sends a file and returns the upload's id. progress receives the fraction sent, from 0 to 1. */
export async function upload(
  address: string, file: Blob, metadata: Record<string, string>, progress: (fraction: number) => void, signal: AbortSignal,
): Promise<string> {
  return idOf(await sendUpload(file, { address, metadata, signal, maxAttempts: 6, onProgress: (bytes) => progress(bytes / (file.size || 1)) }));
}

/** Terminates an upload. Returns false when the server could not be reached; a refusal counts as terminated. */
export async function terminateUpload(url: string): Promise<boolean> {
  try {
    await Upload.terminate(url, { retryDelays: null });
    return true;
  } catch (e) {
    return e instanceof DetailedError && (refusalOf(e) !== null || isGone(e));
  }
}

/** Terminates an upload by its id. If that fails, the upload expires. */
export async function terminate(address: string, id: string): Promise<void> {
  await terminateUpload(new URL(`${address}/${id}`, location.href).href);
}
