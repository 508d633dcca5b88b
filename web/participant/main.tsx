// Renders the app in place of the server's page. If it fails, the page is loaded again and used without the app.
import { Component, render, type ComponentChildren } from 'preact';
import { App } from './app';
import { bootstrap } from './bootstrap';
import { readForm, saveFocus } from './plain_form';
import { open } from './session';

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
  open(bootstrap, readForm(document.querySelector('main form')));
  const restoreFocus = saveFocus();
  const root = document.createElement('div');
  root.className = 'app';
  document.body.replaceChildren(root);
  render(<Fallback><App bootstrap={bootstrap} /></Fallback>, root);
  restoreFocus();
}
