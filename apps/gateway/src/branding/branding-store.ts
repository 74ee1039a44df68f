import { randomBytes } from 'node:crypto';
import type { Logo } from '#branding/logo';
import type { Branding, Prisma } from '#gen/prisma/client';

type Db = Prisma.TransactionClient;

/** The branding of a team without its logo. */
export type TeamBranding = Pick<Branding, 'name' | 'accent' | 'logoId'>;

/** That of Lectern. */
const NO_BRANDING: TeamBranding = { name: null, accent: null, logoId: null };

const select = { name: true, accent: true, logoId: true } as const;

export const readBranding = async (db: Db, teamId: string): Promise<TeamBranding> =>
  (await db.branding.findUnique({ where: { teamId }, select })) ?? NO_BRANDING;

/** Returns the branding of the only team. All teams share the sign-in page, so several have none there. */
export async function readSignInBranding(db: Db): Promise<TeamBranding> {
  const [team, another] = await db.team.findMany({ take: 2, select: { id: true } });
  return team === undefined || another !== undefined ? NO_BRANDING : readBranding(db, team.id);
}

/** What to change. Null resets a part. */
export interface BrandingChanges {
  readonly name?: string | null | undefined;
  readonly accent?: string | null | undefined;
  readonly logo?: Logo | null | undefined;
}

/** The address of a logo must not be guessed: whoever knows it sees the logo. */
function logoData(logo: Logo | null | undefined) {
  if (logo === undefined) return {};
  if (logo === null) return { logoId: null, logo: null, logoType: null };
  return { logoId: randomBytes(16).toString('base64url'), logo: logo.bytes, logoType: logo.type };
}

/** Changes the branding of a team. */
export async function changeBranding(
  db: Db,
  teamId: string,
  { logo, name, accent }: BrandingChanges,
): Promise<TeamBranding> {
  const data = {
    ...(name === undefined ? {} : { name }),
    ...(accent === undefined ? {} : { accent: accent?.toLowerCase() ?? null }),
    ...logoData(logo),
  };
  return db.branding.upsert({ where: { teamId }, create: { teamId, ...data }, update: data, select });
}

/** Finds a logo by the part of its address. */
export async function findLogo(
  db: Db,
  logoId: string,
): Promise<{ readonly bytes: Uint8Array; readonly type: string } | undefined> {
  const found = await db.branding.findUnique({ where: { logoId }, select: { logo: true, logoType: true } });
  if (found?.logo == null || found.logoType === null) return undefined;
  return { bytes: found.logo, type: found.logoType };
}
