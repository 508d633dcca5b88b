import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { visit } from '../state/visit';
import { t } from '../words';

/** The heading of a page. It names the tab, and takes the focus when the page was reached from another one. */
export function Heading({ title, children }: { title: string; children?: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${t('product')}`;
  }, [title]);
  useEffect(() => {
    if (visit.begun && document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
    visit.begun = true;
  }, []);
  return <h1 ref={heading} tabIndex={-1} dir="auto">{children ?? title}</h1>;
}
