import type { Prisma } from '#gen/prisma/client';

/** What a team changed about the packs. */
export interface TeamSettings {
  readonly version: string;
  readonly disabledPacks: readonly string[];
  readonly disabledRules: readonly string[];
}

/** The settings of a team that has never changed a synonym: all packs are on. */
const DEFAULTS: TeamSettings = { version: '', disabledPacks: [], disabledRules: [] };

/** Returns the settings of a team. */
export async function settingsOf(
  { synonymSettings }: Pick<Prisma.TransactionClient, 'synonymSettings'>,
  teamId: string,
): Promise<TeamSettings> {
  return (await synonymSettings.findUnique({ where: { teamId } })) ?? DEFAULTS;
}
