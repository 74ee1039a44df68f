import { hasRole, leastRole } from '@lectern/api-spec';
import type { Caller, Logger } from '@lectern/service-kit';
import type { Prisma } from '#gen/prisma/client';
import { personKey } from '#identity/person-key';
import { type StoredKey, toStoredKey } from '#keys/key-store';
import { backgroundCallFor } from '#pipeline/background-call';
import type { KeyedCall } from '#pipeline/operation';

type Db = Prisma.TransactionClient;

async function pairKey(db: Db, teamId: string, id: string, now: Date): Promise<StoredKey | undefined> {
  const key = await db.apiKey.findFirst({
    where: {
      pairId: id,
      kind: 'secret',
      retiresAt: null,
      pair: { teamId, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
    },
    include: { pair: true },
  });
  return key === null ? undefined : toStoredKey(key);
}

/** True if a person has the role of an operation, or a key has a right. */
function has({ person, rights }: StoredKey, operation: string, right: 'agents' | 'keys'): boolean {
  return person === undefined ? rights.includes(right) : hasRole(person.role, leastRole(operation));
}

/**
 * Returns what the owner of a schedule may do now. Undefined if the person was deactivated or may no
 * longer manage schedules, or the key was revoked, has expired or lost its right.
 */
export async function findOwner(db: Db, teamId: string, id: string): Promise<StoredKey | undefined> {
  const key = (await personKey(db, id)) ?? (await pairKey(db, teamId, id, new Date()));
  return key !== undefined && key.teamId === teamId && has(key, 'createSchedule', 'agents') ? key : undefined;
}

/** Where a result goes. */
interface Place {
  readonly type: 'webhook' | 'slack' | 'email';
  /** For email. */
  readonly personId?: string;
}

/**
 * True if the owner may send results there: to the own address, or as somebody who manages webhooks, Slack
 * apps and people. A key of restricted scope only manages webhooks.
 */
export function maySend(key: StoredKey, { type, personId }: Place): boolean {
  if (type === 'email' && personId === key.pairId) return true;
  return has(key, 'createWebhook', 'keys') && (type === 'webhook' || key.scope.kind === 'all');
}

function callerOf({ teamId, pairId, scope, person }: StoredKey): Caller {
  const own = { teamId, keyId: pairId, scope };
  return person === undefined
    ? { ...own, userEmail: undefined }
    : { ...own, userEmail: person.email, groups: person.groups };
}

/** Creates a call on behalf of an owner. */
export const ownerCall = (key: StoredKey, signal: AbortSignal, log: Logger): KeyedCall =>
  backgroundCallFor({ key, caller: callerOf(key), origin: 'schedule', usage: 'agent_run' }, signal, log);
