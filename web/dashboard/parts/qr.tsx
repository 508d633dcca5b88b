import { useMemo } from 'preact/hooks';
import { encode } from 'uqr';

interface Drawing {
  size: number;
  path: string;
}

/** Returns the drawing of a text as a QR code: a square for each dark module. */
export function drawingOf(text: string): Drawing {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return { size, path };
}

/** A text as a QR code. */
export function Qr({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => drawingOf(text), [text]);
  return <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges"><path class="light" d={`M0 0h${size}v${size}H0z`} /><path d={path} /></svg>;
}
