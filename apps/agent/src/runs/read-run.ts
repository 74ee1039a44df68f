import { type Caller, isId, notFound } from '@lectern/service-kit';
import type { Prisma, PrismaClient, Run } from '#gen/prisma/client';

/** The runs of a team that a caller sees: with a key of restricted scope those that it made, for a named user those made for them. */
export function visibleRuns({ teamId, keyId, scope, userEmail }: Caller): Prisma.RunWhereInput {
  return {
    teamId,
    ...(scope.kind === 'only' ? { keyId: keyId ?? '' } : {}),
    ...(userEmail === undefined ? {} : { userEmail }),
  };
}

/** One run that the caller sees. Throws `not_found`. */
export async function readRun(db: PrismaClient, caller: Caller, agentId: string, id: string): Promise<Run> {
  const run = isId('run', id) ? await db.run.findFirst({ where: { ...visibleRuns(caller), id, agentId } }) : null;
  if (run === null) throw notFound('run', id);
  return run;
}
