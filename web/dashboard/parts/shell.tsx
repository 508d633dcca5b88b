import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso/router';
import { useEffect, useRef, useState } from 'preact/hooks';
import { api, ask, type Schemas } from '../api';
import { useMe, useStudy } from '../query';
import { chooseTheme, theme, type Theme } from '../state/preferences';
import { home, leave, type Me } from '../state/session';
import { ended } from '../state/session_end';
import { useShortcuts } from '../state/shortcuts';
import { type Key, t } from '../words';
import { Heading } from './heading';
import { Icon } from './icon';
import { KeyList } from './key_list';
import { FailureBox, Skeleton } from './loaded';
import { Notices } from './notices';

const roles: readonly Schemas['Role'][] = ['member', 'supervisor', 'admin'];
const sections: readonly [name: string, label: Key, role: Schemas['Role']][] = [
  ['studies', 'studies', 'member'], ['people', 'people', 'admin'], ['keys', 'keys', 'supervisor'], ['webhooks', 'webhooks', 'supervisor'], ['wallets', 'wallets', 'admin'], ['retention', 'retention', 'admin'], ['audit', 'audit', 'supervisor'],
];

/** The frame of the pages of whoever is signed in. Without a session it leads to the sign-in page and back. */
export function Shell({ children }: { children: ComponentChildren }) {
  const { url, route } = useLocation();
  const me = useMe();
  useEffect(() => {
    if (ended.value || me.failure?.code === 'sign_in_needed') route(`/signin?next=${encodeURIComponent(url)}`, true);
  }, [ended.value, me.failure, url, route]);
  if (!me.data) {
    return <main id="content" class="page">{me.failure && me.failure.status !== 401
      ? <><Heading title={t('pageFailed')} /><FailureBox failure={me.failure} what={t('whatAccount')} retry={me.retry} /></> : <Skeleton rows={3} />}</main>;
  }
  return (
    <>
      <a class="skip" href="#content">{t('skip')}</a>
      <Header me={me.data} />
      <main id="content" class="page" tabIndex={-1}>{children}</main>
      <Notices />
    </>
  );
}

function Header({ me }: { me: Me }) {
  const { path, route } = useLocation();
  const [, area, name = ''] = path.split('/');
  const study = useStudy(decode(name), area === 'p');
  const orgId = area === 'o' ? name : study.data?.organization.id;
  const organization = me.organizations.find(({ id }) => id === orgId) ?? (area === 'me' || area === 'instance' ? me.organizations[0] : undefined);
  const [listing, setListing] = useState(false);
  const bar = useRef<HTMLElement>(null);
  useEffect(() => { // on a narrow screen the pages are in a row that scrolls
    const current = bar.current?.querySelector<HTMLElement>('[aria-current]');
    if (bar.current && current) bar.current.scrollLeft = current.offsetLeft - bar.current.offsetLeft - 8;
  }, [path, organization]);
  useShortcuts([{ key: '?', label: t('keysTitle'), run: () => setListing(true) }]);
  const allowed = (role: Schemas['Role']) => organization !== undefined && roles.indexOf(organization.role) >= roles.indexOf(role);
  return (
    <header class="top">
      <a class="brand" href={organization ? `/o/${organization.id}/studies` : home(me)} aria-label={`${t('product')}: ${t('studies')}`}><i aria-hidden="true" /><b>{t('product')}</b></a>
      {me.organizations.length > 1
        ? <select aria-label={t('organization')} value={organization?.id} onChange={(event) => route(`/o/${event.currentTarget.value}/studies`)}>
            {me.organizations.map(({ id, name: label }) => <option key={id} value={id}>{label}</option>)}
          </select>
        : <span class="organization" dir="auto">{organization?.name}</span>}
      <nav ref={bar} aria-label={t('pages')}>
        {sections.filter(([, , role]) => allowed(role)).map(([section, label]) => {
          const href = `/o/${organization?.id}/${section}`;
          const here = path.startsWith(href) || (section === 'studies' && area === 'p');
          return <a key={section} href={href} aria-current={here ? (path === href ? 'page' : 'true') : undefined}>{t(label)}</a>;
        })}
        {me.instanceAdmin && <a href="/instance" aria-current={area === 'instance' ? 'page' : undefined}>{t('instance')}</a>}
      </nav>
      <div class="tools">
        <ThemeSwitch />
        <button type="button" class="quiet square" aria-label={t('keysTitle')} title={`${t('keysTitle')} (?)`} onClick={() => setListing(true)}>?</button>
        <a class="account" href="/me" aria-current={area === 'me' ? 'page' : undefined}>{me.user.name || me.user.email}</a>
        <SignOut />
      </div>
      {listing && <KeyList onClose={() => setListing(false)} />}
    </header>
  );
}

const after: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };
const drawn = { system: 'system', light: 'sun', dark: 'moon' } as const;

function ThemeSwitch() {
  const label = `${t('theme')}: ${t(`theme_${theme.value}`)}`;
  return (
    <button type="button" class="quiet square" aria-label={label} title={label} onClick={() => chooseTheme(after[theme.value])}><Icon name={drawn[theme.value]} /></button>
  );
}

function SignOut() {
  const { route } = useLocation();
  const signOut = async () => {
    try {
      await ask(api.DELETE('/api/dashboard/session'));
    } finally {
      leave();
      route('/signin');
    }
  };
  return <button type="button" class="quiet square" aria-label={t('signOut')} title={t('signOut')} onClick={() => void signOut()}><Icon name="leave" /></button>;
}

/** Returns a part of a path decoded, or as it is when it is malformed. */
export function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
