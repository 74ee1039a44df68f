import { isId } from '@lectern/contracts';
import { type Caller, notFound } from '@lectern/service-kit';
import type { Prisma, PrismaClient, Run } from '#gen/prisma/client';

/**
 * Returns the filter for runs that a caller can see. A key of restricted scope sees only its own
 * runs, an end user only those of that user.
 */
export function visibleRuns({ teamId, keyId, scope, userEmail }: Caller): Prisma.RunWhereInput {
  return {
    teamId,
    ...(scope.kind === 'only' ? { keyId: keyId ?? '' } : {}),
    ...(userEmail === undefined ? {} : { userEmail }),
  };
}

/** Returns a run that is visible to the caller. Throws `not_found`. */
export async function readRun(db: PrismaClient, caller: Caller, agentId: string, id: string): Promise<Run> {
  const run = isId('run', id) ? await db.run.findFirst({ where: { ...visibleRuns(caller), id, agentId } }) : null;
  if (run === null) throw notFound('run', id);
  return run;
}
