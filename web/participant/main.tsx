// The app takes over the page that the server has made. Should it fail, that page comes back and is used without it.
import { Component, render, type ComponentChildren } from 'preact';
import { App } from './app';
import { given, writing } from './before';
import { boot } from './boot';
import { open } from './session';

const plain = 'verbatim.plain'; // set for the visit once the app has failed

class Fallback extends Component<{ children: ComponentChildren }> {
  override componentDidCatch(): void {
    try {
      sessionStorage.setItem(plain, '1');
    } catch {
      return; // without a mark, a reload could fail for ever
    }
    location.reload();
  }

  override render() {
    return this.props.children;
  }
}

function failedBefore(): boolean {
  try {
    return sessionStorage.getItem(plain) !== null;
  } catch {
    return false;
  }
}

if (boot && !failedBefore()) {
  open(boot, given(document.querySelector('main form')));
  const goOn = writing();
  const root = document.createElement('div');
  root.className = 'app';
  document.body.replaceChildren(root);
  render(<Fallback><App boot={boot} /></Fallback>, root);
  goOn();
}
