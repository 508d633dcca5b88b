import { useRef, useState } from 'preact/hooks';
import { useEditing } from './editing';
import { type Guide, misshapen } from './guide';
import { brokenAt, scan } from './lines';
import { te } from './words';

/** The guide as JSON. Nothing changes before it is applied; an error says its line. */
export function JsonPanel() {
  const editing = useEditing();
  const now = JSON.stringify(editing.copy.guide.value, null, 2);
  const [typed, setTyped] = useState<string | null>(null);
  const [from, setFrom] = useState(now);
  const area = useRef<HTMLTextAreaElement>(null);
  const text = typed ?? now;
  const wrong = typed === null ? null : wrongIn(text);
  const toError = () => {
    area.current?.focus();
    if (wrong) area.current?.setSelectionRange(wrong.offset, wrong.offset + 1);
  };
  const apply = () => {
    editing.edit(() => JSON.parse(text) as Guide);
    setTyped(null);
  };
  return (
    <div class="json">
      <textarea ref={area} class="mono" data-own-undo spellcheck={false} aria-label={te('json')} readOnly={!editing.mayChange} value={text} aria-invalid={wrong ? true : undefined} aria-describedby="json-state"
        onInput={(event) => { if (typed === null) setFrom(now); setTyped(event.currentTarget.value); }} />
      <p id="json-state" role="status" class={wrong ? 'wrong' : 'soft'}>{wrong ? wrong.message : typed === null ? te('jsonText') : from !== now ? te('jsonBehind') : te('jsonReady')}</p>
      <p class="row">
        {wrong && <button type="button" onClick={toError}>{te('toLine', { n: wrong.line })}</button>}
        <button type="button" class="primary" disabled={typed === null || wrong !== null || !editing.mayChange} onClick={apply}>{te('applyJson')}</button>
        {typed !== null && <button type="button" class="quiet" onClick={() => setTyped(null)}>{te('discardJson')}</button>}
      </p>
    </div>
  );
}

/** Returns what keeps a text from being a guide, and where. */
export function wrongIn(text: string): { message: string; line: number; offset: number } | null {
  const broken = brokenAt(text);
  if (broken) return { message: te('brokenJson', { line: broken.line, column: broken.column }), line: broken.line, offset: broken.offset };
  const place = misshapen(JSON.parse(text));
  if (place === null) return null;
  const places = scan(text);
  const offset = typeof places === 'number' ? 0 : (places.get(place) ?? 0);
  const line = text.slice(0, offset).split('\n').length;
  return { message: place === '' ? te('noGuide') : te('misshapen', { place, line }), line, offset };
}
