import { reason } from '../parts/loaded';
import { Icon } from '../parts/icon';
import type { Copy } from './copy';
import { te } from './words';

/** Whether what was typed is saved, in words that are true. */
export function SaveWords({ copy, keeps }: { copy: Copy; keeps: boolean }) {
  const state = copy.state.value;
  const safe = keeps ? te('keptHere') : te('notKept');
  if (state.kind === 'saved') return <p class="saved" role="status"><Icon name="check" />{te('saved')}</p>;
  if (state.kind === 'typed') return <p class="saved" role="status">{te('typed')}</p>;
  if (state.kind === 'saving') return <p class="saved" role="status">{te('saving')}</p>;
  const gone = state.failure.code === 'offline';
  return (
    <p class="saved wrong" role="status">
      <Icon name="warning" />{gone ? te('offline') : `${te('notSaved')} ${reason(state.failure)}`} {safe} <button type="button" class="quiet" onClick={() => copy.again()}>{te('tryNow')}</button>
    </p>
  );
}
