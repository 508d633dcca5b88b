import type { ComponentChildren } from 'preact';
import { t } from '../words';
import { Heading } from './heading';

interface Props {
  title: string;
  lead?: string | undefined;
  children?: ComponentChildren;
}

/** The frame of the pages before signing in. */
export function Outside({ title, lead, children }: Props) {
  return (
    <div class="outside">
      <p class="brand"><i aria-hidden="true" /><b>{t('product')}</b></p>
      <main class="sheet">
        <Heading title={title} />
        {lead && <p class="soft">{lead}</p>}
        {children}
      </main>
    </div>
  );
}
