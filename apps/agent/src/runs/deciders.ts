import { AppError, type Caller, isPartOfTeam } from '@lectern/service-kit';
import type { Prisma, Run } from '#gen/prisma/client';
import { canManageAgents, visibleRuns } from '#runs/read-run';

/** Throws `forbidden` unless the run belongs to the caller, or the caller can change agents. */
export function requireDecider(caller: Caller, run: Run): void {
  const isOwn =
    run.userEmail === null
      ? caller.userEmail === undefined && caller.keyId !== undefined && caller.keyId === run.keyId
      : caller.userEmail === run.userEmail;
  if (isOwn || canManageAgents(caller)) return;
  throw new AppError('forbidden', 'Only the person who started this run, and editors, can decide about its calls.');
}

/** Returns the filter for the runs whose approvals the caller can see, and for which `requireDecider` does not throw. */
export function decidableRuns(caller: Caller): Prisma.RunWhereInput {
  if (canManageAgents(caller)) return { teamId: caller.teamId };
  const isOwnOnly = caller.userEmail === undefined && isPartOfTeam(caller);
  return { ...visibleRuns(caller), ...(isOwnOnly ? { userEmail: null } : {}) };
}
