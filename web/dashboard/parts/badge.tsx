import type { Schemas } from '../api';
import { type Key, t } from '../words';
import { Icon, type IconName } from './icon';

type State = Schemas['Progress'] | Schemas['Study']['state'] | 'hidden' | 'revoked' | 'expired' | 'active' | Schemas['Export']['status'] | Schemas['Webhook']['status'] | Schemas['DeliveryState'];

const looks: Record<State, [IconName, 'good' | 'warn' | 'wrong' | 'plain']> = {
  complete: ['check', 'good'],
  in_progress: ['clock', 'plain'],
  abandoned: ['stop', 'warn'],
  screened_out: ['cross', 'plain'],
  draft: ['pen', 'plain'],
  live: ['dot', 'good'],
  paused: ['clock', 'warn'],
  closed: ['stop', 'warn'],
  hidden: ['hidden', 'plain'],
  active: ['check', 'good'],
  expired: ['clock', 'warn'],
  revoked: ['cross', 'wrong'],
  queued: ['clock', 'plain'],
  running: ['pen', 'plain'],
  failed: ['warning', 'wrong'],
  enabled: ['check', 'good'],
  disabled: ['stop', 'plain'],
  failing: ['warning', 'wrong'],
  waiting: ['clock', 'plain'],
  delivered: ['check', 'good'],
};

/** A state as word, icon and colour. */
export function Badge({ state }: { state: State }) {
  const [icon, tone] = looks[state];
  return <span class={`badge ${tone}`}><Icon name={icon} />{t(`state_${state}` satisfies Key)}</span>;
}
