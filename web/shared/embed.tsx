import type { Words } from './words';

/** Another site's page in a sandboxed frame, and a link to it in case the site refuses to be framed. title says what the page shows. */
export function Embed({ address, title, words }: { address: string; title: string; words: Words }) {
  return (
    <div class="embed">
      <iframe
        src={address}
        title={title || words.openEmbed}
        sandbox="allow-scripts allow-forms allow-same-origin allow-popups"
        referrerpolicy="no-referrer"
        loading="lazy"
      />
      <p class="note"><a href={address} target="_blank" rel="noopener noreferrer">{words.openEmbed}</a></p>
    </div>
  );
}
