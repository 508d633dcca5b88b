import { mainField } from '../shared/draft';
import type { Step } from '../shared/protocol';
import { headingId } from '../shared/widget';

/**
 * Moves focus and page to a step that has just been shown: to the text field on devices with a keyboard, and to the heading on others, where
 * focus in a field would open a keyboard on the screen.
 */
export function focusStep(at: Step, header: HTMLElement | null, scrolls: boolean): void {
  const heading = document.getElementById(at.support ? 'support' : headingId);
  const field = at.support ? null : document.getElementById(mainField);
  const keyboard = matchMedia('(hover: hover) and (pointer: fine)').matches;
  (keyboard && field instanceof HTMLTextAreaElement ? field : heading)?.focus({ preventScroll: true });
  if (scrolls) scrollBelow(header, document.querySelector('section.kept') ?? heading?.closest('.sheet') ?? null);
  else scrollTo({ top: 0 });
}

/** Scrolls an element to just below the header. */
export function scrollBelow(header: HTMLElement | null, element: Element | null): void {
  if (element) scrollTo({ top: element.getBoundingClientRect().top + scrollY - (header?.offsetHeight ?? 0) - 16 });
}
