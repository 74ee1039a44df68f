import { setImmediate as turn } from 'node:timers/promises';
import type { AuditEvent, Prisma } from '#gen/prisma/client';

type Db = Prisma.TransactionClient;

/** Events that one query of an export reads. */
const BATCH = 500;

/** A filter of the audit log. */
export interface AuditFilter {
  readonly action?: string | undefined;
  readonly keyId?: string | undefined;
  readonly resourceId?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

const NEWEST_FIRST = [{ createdAt: 'desc' }, { id: 'desc' }] satisfies Prisma.AuditEventOrderByWithRelationInput[];

function matchingEvents(
  teamId: string,
  { action, keyId, resourceId, from, to }: AuditFilter,
): Prisma.AuditEventWhereInput {
  return {
    teamId,
    ...(action === undefined ? {} : { action }),
    ...(keyId === undefined ? {} : { keyId }),
    ...(resourceId === undefined ? {} : { resourceId }),
    createdAt: { ...(from === undefined ? {} : { gte: from }), ...(to === undefined ? {} : { lt: to }) },
  };
}

/** Converts events, with the names of their actors. */
async function auditRecords(db: Db, teamId: string, events: readonly AuditEvent[]) {
  const emails = new Set(events.flatMap(({ userEmail }) => userEmail ?? []));
  const keyIds = new Set(events.flatMap(({ keyId }) => keyId ?? []));
  const [people, pairs] = await Promise.all([
    db.person.findMany({ where: { teamId, email: { in: [...emails] } }, select: { email: true, name: true } }),
    db.keyPair.findMany({ where: { teamId, id: { in: [...keyIds] } }, select: { id: true, name: true } }),
  ]);
  const nameOf = new Map<string, string>();
  for (const { id, name } of pairs) nameOf.set(id, name);
  for (const { email, name } of people) nameOf.set(email, name);
  return events.map((event) => ({
    id: event.id,
    action: event.action,
    resource: { type: event.resourceType, id: event.resourceId },
    actor: {
      keyId: event.keyId,
      user: event.userEmail,
      name: nameOf.get(event.userEmail ?? '') ?? nameOf.get(event.keyId ?? '') ?? null,
    },
    ip: event.origin,
    userAgent: event.userAgent,
    requestId: event.requestId,
    details: event.details,
    createdAt: event.createdAt.toISOString(),
  }));
}

/** Returns a page of audit events, newest first, and the number of all that match. */
export async function listAudit(
  db: Db,
  teamId: string,
  filter: AuditFilter,
  { skip, take }: { readonly skip: number; readonly take: number },
) {
  const where = matchingEvents(teamId, filter);
  const events = await db.auditEvent.findMany({ where, orderBy: NEWEST_FIRST, skip, take });
  return { events: await auditRecords(db, teamId, events), total: await db.auditEvent.count({ where }) };
}

/** Returns all matching audit events, newest first, in batches. Stops with the signal's reason. */
export async function* exportAudit(db: Db, teamId: string, filter: AuditFilter, signal: AbortSignal) {
  const matching = matchingEvents(teamId, filter);
  let after: AuditEvent | undefined;
  for (;;) {
    signal.throwIfAborted();
    const { createdAt, id } = after ?? {};
    const older =
      createdAt === undefined || id === undefined
        ? {}
        : { OR: [{ createdAt: { lt: createdAt } }, { createdAt, id: { lt: id } }] };
    const events = await db.auditEvent.findMany({
      where: { AND: [matching, older] },
      orderBy: NEWEST_FIRST,
      take: BATCH,
    });
    for (const record of await auditRecords(db, teamId, events)) yield record;
    after = events.at(-1);
    if (events.length < BATCH) return;
    // Other requests come first.
    await turn();
  }
}
