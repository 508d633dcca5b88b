import type { Organization } from './boot';

/** Who asks: the organization's logo, or its name. */
export function Who({ who }: { who: Organization | null }) {
  if (!who) return null;
  return (
    <p class="who" dir="auto">
      {who.logo ? <img src={who.logo.url} alt={who.name} width={who.logo.width} height={who.logo.height} /> : who.name}
    </p>
  );
}
