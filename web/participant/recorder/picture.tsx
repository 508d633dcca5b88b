import { useEffect, useRef } from 'preact/hooks';

/** A stream as a silent picture. */
export function Picture({ stream, label, mirrored = false }: { stream: MediaStream; label: string | undefined; mirrored?: boolean }) {
  const film = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const at = film.current;
    if (!at) return undefined;
    at.srcObject = stream;
    void at.play().catch(() => undefined); // shows its first picture then
    return () => { at.srcObject = null; };
  }, [stream]);
  return <video ref={film} class={`rec-picture${mirrored ? ' mirrored' : ''}`} muted playsInline aria-label={label} />;
}
