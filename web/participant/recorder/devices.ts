// Microphones, cameras and screens, and what can stand in the way of them.

/** Why something cannot be recorded. Each has words of its own. */
export type Trouble = 'denied' | 'none' | 'busy' | 'insecure' | 'unsupported' | 'gone' | 'screen' | 'other';

/** The devices that the participant chose; a browser takes another where one is not there. */
export interface Chosen {
  microphone?: string;
  camera?: string;
}

/** What this page can never do here; null when recording may work. */
export function hindrance(): Trouble | null {
  if (!window.isSecureContext) return 'insecure';
  return 'MediaRecorder' in window && 'mediaDevices' in navigator && 'getUserMedia' in navigator.mediaDevices ? null : 'unsupported';
}

/** Whether a screen can be shared here; phones cannot. */
export const screens = (): boolean => 'mediaDevices' in navigator && 'getDisplayMedia' in navigator.mediaDevices;

/** Asks for the microphone, and for the camera. */
export function listen(camera: boolean, chosen: Chosen): Promise<MediaStream> {
  const the = (id: string | undefined) => (id ? { deviceId: { ideal: id } } : {});
  return navigator.mediaDevices.getUserMedia({
    audio: { ...the(chosen.microphone), echoCancellation: true, noiseSuppression: true, autoGainControl: true },
    video: camera && { ...(chosen.camera ? the(chosen.camera) : { facingMode: 'user' }), width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 24, max: 30 } },
  });
}

/** Asks for a screen, a window or a tab; this must follow a click. */
export const share = (): Promise<MediaStream> =>
  navigator.mediaDevices.getDisplayMedia({ video: { frameRate: { ideal: 10, max: 15 } }, audio: true });

export function troubleOf(e: unknown): Trouble {
  switch (e instanceof Error ? e.name : '') {
    case 'NotAllowedError':
    case 'SecurityError':
      return 'denied';
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'none';
    case 'NotReadableError':
    case 'AbortError':
      return 'busy';
    case 'NotSupportedError':
      return 'unsupported';
  }
  return 'other';
}

export async function devices(kind: 'audioinput' | 'videoinput'): Promise<MediaDeviceInfo[]> {
  const all = await navigator.mediaDevices.enumerateDevices().catch(() => []);
  return all.filter((device) => device.kind === kind && device.deviceId !== '');
}

export function release(stream: MediaStream | null): void {
  for (const track of stream?.getTracks() ?? []) {
    track.onended = null;
    track.stop();
  }
}
