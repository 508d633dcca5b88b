const pages = /^\/(?:o|p|me)(?:[/?#]|$)/;

/**
 * Returns where to go after signing in: the page that `next` names if it is one of the dashboard, otherwise "". Browsers read a
 * backslash as a slash and skip tabs and line breaks, so the address is compared as they understand it.
 */
export function safeNext(next: string | null, origin: string): string {
  if (!next?.startsWith('/')) return '';
  let url: URL;
  try {
    url = new URL(next, origin);
  } catch {
    return '';
  }
  const path = url.pathname + url.search + url.hash;
  return url.origin === origin && pages.test(path) ? path : '';
}
