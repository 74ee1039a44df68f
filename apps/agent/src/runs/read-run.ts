import { isId } from '@lectern/contracts';
import { type Caller, isPartOfTeam, notFound } from '@lectern/service-kit';
import type { Prisma, PrismaClient, Run } from '#gen/prisma/client';

/**
 * Returns the filter for runs that a caller can see. A key of restricted scope, or with filters,
 * sees only its own runs, an end user only those of that user.
 */
export function visibleRuns(caller: Caller): Prisma.RunWhereInput {
  const { teamId, keyId, userEmail } = caller;
  return {
    teamId,
    ...(isPartOfTeam(caller) ? { keyId: keyId ?? '' } : {}),
    ...(userEmail === undefined ? {} : { userEmail }),
  };
}

/** Returns a run that is visible to the caller. Throws `not_found`. */
export async function readRun(db: PrismaClient, caller: Caller, agentId: string, id: string): Promise<Run> {
  const run = isId('run', id) ? await db.run.findFirst({ where: { ...visibleRuns(caller), id, agentId } }) : null;
  if (run === null) throw notFound('run', id);
  return run;
}
