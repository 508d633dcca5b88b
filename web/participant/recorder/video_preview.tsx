import { useEffect, useRef } from 'preact/hooks';

/** Shows a stream's video without sound. */
export function VideoPreview({ stream, label, mirrored = false }: { stream: MediaStream; label: string | undefined; mirrored?: boolean }) {
  const element = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const video = element.current;
    if (!video) return undefined;
    video.srcObject = stream;
    void video.play().catch(() => undefined); // where it may not play, it shows its first frame
    return () => { video.srcObject = null; };
  }, [stream]);
  return <video ref={element} class={`rec-picture${mirrored ? ' mirrored' : ''}`} muted playsInline aria-label={label} />;
}
