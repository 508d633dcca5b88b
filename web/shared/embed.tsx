import type { Words } from './words';

/** A page of elsewhere in a frame that cannot reach this one, and a link to it for where it will not be framed. */
export function Embed({ address, words }: { address: string; words: Words }) {
  return (
    <div class="embed">
      <iframe
        src={address}
        title={words.openEmbed}
        sandbox="allow-scripts allow-forms allow-same-origin allow-popups"
        referrerpolicy="no-referrer"
        loading="lazy"
      />
      <p class="note"><a href={address} target="_blank" rel="noopener noreferrer">{words.openEmbed}</a></p>
    </div>
  );
}
