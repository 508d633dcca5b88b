import { useEffect, useRef, useState } from 'preact/hooks';
import { useEditing } from './editing';
import { allItems, conceptsOf } from './guide';
import { te } from './words';

interface Step {
  seed: number;
  kind: string;
  itemId: string | null;
  reachable: boolean | null;
}

interface Failed {
  status: number;
  code: string;
  error: string;
}

/** The participant's own page in a frame, run over the guide as it is typed. Nothing of it is stored. */
export function PreviewPanel() {
  const editing = useEditing();
  const frame = useRef<HTMLIFrameElement>(null);
  const [ready, setReady] = useState(false);
  const [step, setStep] = useState<Step | null>(null);
  const [failed, setFailed] = useState<Failed | null>(null);
  const [seed, setSeed] = useState(0);
  const { value: guide } = editing.copy.guide;
  const open = editing.open.value;
  const show = (more: Record<string, unknown>, draw = seed) => {
    setFailed(null);
    frame.current?.contentWindow?.postMessage({ type: 'verbatim.preview.show', request: { guide: editing.copy.guide.value, seed: draw, ...more } }, location.origin);
  };
  const latest = useRef(show);
  latest.current = show;
  useEffect(() => {
    const listen = (event: MessageEvent) => {
      if (event.origin !== location.origin || event.source !== frame.current?.contentWindow) return;
      const { type } = event.data as { type?: string };
      if (type === 'verbatim.preview.ready') {
        setReady(true);
        latest.current({});
      } else if (type === 'verbatim.preview.step') {
        setStep(event.data as Step);
        setFailed(null);
      } else if (type === 'verbatim.preview.failed') {
        setFailed(event.data as Failed);
      }
    };
    addEventListener('message', listen);
    return () => removeEventListener('message', listen);
  }, []);
  const item = allItems(guide).find((entry) => entry.item.externalId === open);
  const concept = guide.studyGuide.find((block) => conceptsOf(block).some(({ externalId }) => externalId === open));
  const showOpen = () => show({ show: item ? { itemId: open } : { itemId: concept?.items[0]?.externalId ?? '', conceptId: open } });
  return (
    <div class="preview-frame">
      <p class="row">
        <button type="button" disabled={!ready || !(item || concept)} onClick={showOpen}>{te(concept ? 'showConcept' : 'showQuestion', { n: item?.n ?? '' })}</button>
        <button type="button" class="quiet" disabled={!ready} onClick={() => { setSeed(seed + 1); show({}, seed + 1); }}>{te('startAgain')}</button>
      </p>
      <p role="status" class={failed || step?.reachable === false ? 'wrong small' : 'soft small'}>
        {failed ? (failed.error || te('previewFailed')) : step?.reachable === false ? te('unreachable') : step ? te('previewText') : te('previewWaits')}
      </p>
      <iframe ref={frame} title={te('preview')} src={`/preview/${encodeURIComponent(editing.link)}`} />
    </div>
  );
}
