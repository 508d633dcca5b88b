// Draws the dashboard.
import { render } from 'preact';
import { App } from './app';
import { followSystem } from './state/preferences';
import { begin } from './state/session';
import { listen } from './state/shortcuts';

const root = document.getElementById('app');
if (root) {
  followSystem();
  begin();
  listen();
  render(<App />, root);
}
