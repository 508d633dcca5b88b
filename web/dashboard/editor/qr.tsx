import { useMemo } from 'preact/hooks';
import { encode } from 'uqr';
import { te } from './words';

/** Returns the drawing of a code: a square for each dark module, rows joined. */
function drawing(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return { size, path };
}

/** A link as a QR code, and as a file to print. */
export function QrCode({ link, name }: { link: string; name: string }) {
  const { size, path } = useMemo(() => drawing(link), [link]);
  const save = () => {
    const file = new Blob([`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`], { type: 'image/svg+xml' });
    const address = URL.createObjectURL(file);
    const anchor = document.createElement('a');
    anchor.href = address;
    anchor.download = `${name}.svg`;
    anchor.click();
    URL.revokeObjectURL(address);
  };
  return (
    <div class="qr">
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={te('qrOf', { link })} shape-rendering="crispEdges"><path class="light" d={`M0 0h${size}v${size}H0z`} /><path d={path} /></svg>
      <button type="button" onClick={save}>{te('saveQr')}</button>
    </div>
  );
}
