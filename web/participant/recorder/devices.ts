// Access to microphones, cameras and screens, and the reasons why it can fail.

/** Why something cannot be recorded. Each reason has its own words, whose keys are made from it. */
export type DeviceProblem = 'denied' | 'none' | 'busy' | 'insecure' | 'unsupported' | 'gone' | 'screen' | 'other';

/** The ids of the devices that the participant chose. The browser uses another device where one is missing. */
export interface ChosenDevices {
  microphone?: string;
  camera?: string;
}

/** Returns why this browser can never record on this page; null where it may work. */
export function unsupportedReason(): DeviceProblem | null {
  if (!window.isSecureContext) return 'insecure';
  return 'MediaRecorder' in window && 'mediaDevices' in navigator && 'getUserMedia' in navigator.mediaDevices ? null : 'unsupported';
}

/** Reports whether this browser can share a screen. Phones cannot. */
export const canShareScreen = (): boolean => 'mediaDevices' in navigator && 'getDisplayMedia' in navigator.mediaDevices;

/** Opens the microphone and, if wanted, the camera. The browser asks for permission. */
export function openMicrophone(camera: boolean, chosen: ChosenDevices): Promise<MediaStream> {
  const preferring = (id: string | undefined) => (id ? { deviceId: { ideal: id } } : {});
  return navigator.mediaDevices.getUserMedia({
    audio: { ...preferring(chosen.microphone), echoCancellation: true, noiseSuppression: true, autoGainControl: true },
    video: camera && { ...(chosen.camera ? preferring(chosen.camera) : { facingMode: 'user' }), width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 24, max: 30 } },
  });
}

/** Asks for a screen, window or tab to share. Browsers allow this only in response to a click. */
export const shareScreen = (): Promise<MediaStream> =>
  navigator.mediaDevices.getDisplayMedia({ video: { frameRate: { ideal: 10, max: 15 } }, audio: true });

export function problemOf(e: unknown): DeviceProblem {
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

/** Lists the devices of a kind. It is empty until the participant gave permission. */
export async function devices(kind: 'audioinput' | 'videoinput'): Promise<MediaDeviceInfo[]> {
  const all = await navigator.mediaDevices.enumerateDevices().catch(() => []);
  return all.filter((device) => device.kind === kind && device.deviceId !== '');
}

/** Stops all tracks of a stream. */
export function release(stream: MediaStream | null): void {
  for (const track of stream?.getTracks() ?? []) {
    track.onended = null;
    track.stop();
  }
}
