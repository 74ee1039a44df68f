import { RIGHTS } from '@lectern/api-spec';
import type { Person, Prisma } from '#gen/prisma/client';
import { effectiveRole, groupsOf } from '#identity/group-store';
import type { StoredKey } from '#keys/key-store';

/** What a person may do, however the person was authenticated: with a session, or by Slack. */
export async function keyOf(
  db: Prisma.TransactionClient,
  { id, teamId, name, email, language, role: ownRole }: Person,
  session: { readonly id: string; readonly endsAt: Date | null },
): Promise<StoredKey> {
  const groups = (await groupsOf(db, [id]))(id);
  const role = effectiveRole(ownRole, groups);
  return {
    pairId: id,
    pairName: name,
    person: { sessionId: session.id, email, role, groups: groups.principals, language },
    teamId,
    kind: 'secret',
    scope: { kind: 'all' },
    rights: RIGHTS,
    allowedIps: [],
    allowedHosts: [],
    allowedReferers: [],
    publishableReads: 'public',
    requireSignature: false,
    rateLimitPerMinute: undefined,
    expiresAt: null,
    endsAt: session.endsAt,
  };
}

/** Reads what a person may do without a session. Returns undefined for a deactivated person. */
export async function personKey(db: Prisma.TransactionClient, id: string): Promise<StoredKey | undefined> {
  const person = await db.person.findUnique({ where: { id } });
  return person === null || person.status !== 'active' ? undefined : keyOf(db, person, { id: '', endsAt: null });
}
