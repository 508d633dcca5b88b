import { useState } from 'preact/hooks';

/**
 * Returns the one-time token in the fragment of the address, or "", and removes it from the address at once, so that it is neither in the
 * history nor in a picture of the screen.
 */
export function useToken(): string {
  const [token] = useState(() => {
    const fragment = location.hash.slice(1);
    if (fragment) history.replaceState(history.state, '', location.pathname + location.search);
    return fragment;
  });
  return token;
}
