// Renders the app in place of the server's page. If it fails, the page is loaded again and used without the app.
import { Component, render, type ComponentChildren } from 'preact';
import { App } from './app';
import { type Bootstrap, bootstrap } from './bootstrap';
import { readForm, saveFocus } from './plain_form';
import { loadConsent, open } from './session';

const failedKey = 'verbatim.plain'; // set for the visit once the app has failed

class Fallback extends Component<{ children: ComponentChildren }> {
  override componentDidCatch(): void {
    try {
      sessionStorage.setItem(failedKey, '1');
    } catch {
      return; // without the mark, the page could reload for ever
    }
    location.reload();
  }

  override render() {
    return this.props.children;
  }
}

function failedBefore(): boolean {
  try {
    return sessionStorage.getItem(failedKey) !== null;
  } catch {
    return false;
  }
}

if (bootstrap?.view === 'preview') {
  void import('./preview').then(({ listen }) => listen(bootstrap?.linkId ?? ''));
} else if (bootstrap && !failedBefore()) {
  const needsConsent = bootstrap.consent || bootstrap.front?.consent;
  if (needsConsent) loadConsent().then(() => begin(bootstrap as Bootstrap), () => undefined); // the page works without it
  else begin(bootstrap);
}

function begin(bootstrap: Bootstrap): void {
  open(bootstrap, readForm(document.querySelector('main form')));
  const restoreFocus = saveFocus();
  const root = document.createElement('div');
  root.className = 'app';
  const note = document.querySelector('.preview'); // says that this is a preview
  document.body.replaceChildren(...(note ? [note] : []), root);
  render(<Fallback><App bootstrap={bootstrap} /></Fallback>, root);
  restoreFocus();
}
