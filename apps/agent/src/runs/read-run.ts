import { isId } from '@lectern/contracts';
import { type Caller, isLimitedToOwn, isPartOfTeam, notFound } from '@lectern/service-kit';
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
export const readRun = (db: PrismaClient, caller: Caller, agentId: string, id: string): Promise<Run> =>
  findRun(db, visibleRuns(caller), agentId, id);

/**
 * Returns true if the caller can change the agents of the whole team: such a caller could as well
 * remove the need for an approval.
 */
export const canManageAgents = (caller: Caller): boolean => !isPartOfTeam(caller) && !isLimitedToOwn(caller);

/**
 * Returns a run whose approvals the caller can see: one that is visible, and any run of the team for
 * those who manage agents. Throws `not_found`.
 */
export function readRunForApprovals(db: PrismaClient, caller: Caller, agentId: string, id: string): Promise<Run> {
  const where = canManageAgents(caller) ? { teamId: caller.teamId } : visibleRuns(caller);
  return findRun(db, where, agentId, id);
}

async function findRun(db: PrismaClient, where: Prisma.RunWhereInput, agentId: string, id: string): Promise<Run> {
  const run = isId('run', id) ? await db.run.findFirst({ where: { ...where, id, agentId } }) : null;
  if (run === null) throw notFound('run', id);
  return run;
}
