import type { Invitation } from '../shared/protocol';

/** The organization's logo, or its name where it has none. */
export function OrganizationLogo({ organization }: { organization: Invitation['organization'] | null }) {
  if (!organization) return null;
  const { logo, name } = organization;
  return (
    <p class="who" dir="auto">
      {logo ? <img src={logo.url} alt={name} width={logo.width} height={logo.height} /> : name}
    </p>
  );
}
