import type { TeamBranding } from '#branding/branding-store';

/** The branding in a response. */
export const brandingRecord = ({ name, accent, logoId }: TeamBranding) => ({
  name,
  logoUrl: logoId === null ? null : `/branding/${logoId}`,
  accent,
});
