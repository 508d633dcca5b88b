import { drawingOf, Qr } from '../parts/qr';
import { te } from './words';

/** A link as a QR code, and as a file to print. */
export function QrCode({ link, name }: { link: string; name: string }) {
  const save = () => {
    const { size, path } = drawingOf(link);
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
      <Qr text={link} label={te('qrOf', { link })} />
      <button type="button" onClick={save}>{te('saveQr')}</button>
    </div>
  );
}
