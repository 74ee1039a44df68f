import { hasRole, leastRole, RIGHTS, type Right } from '@lectern/api-spec';
import type { EventType } from '@lectern/contracts';
import type { CollectionScope } from '@lectern/service-kit';
import type { Prisma, Webhook } from '#gen/prisma/client';
import { effectiveRole, groupsOf } from '#identity/group-store';

type Db = Prisma.TransactionClient;

/** What the creator of a webhook may know. */
export interface Creator {
  readonly scope: CollectionScope;
  readonly rights: readonly Right[];
  /** Collections that left a restricted scope because they were deleted. */
  readonly deletedCollections: readonly string[];
}

/** The right that a key needs for an event, in addition to the right to manage webhooks. */
const EVENT_RIGHTS: Readonly<Record<EventType, Right>> = {
  'document.indexed': 'documents:read',
  'document.failed': 'documents:read',
  'document.deleted': 'documents:read',
  'sync.completed': 'connectors',
  'sync.failed': 'connectors',
  'connector.error': 'connectors',
  'feedback.created': 'chat',
  'run.completed': 'agents',
};

/** Returns the right for an event; undefined for one that every webhook may receive. */
export const rightFor = (type: string): Right | undefined =>
  Object.entries(EVENT_RIGHTS).find(([name]) => name === type)?.[1];

/**
 * Returns what the creators of webhooks may know now, by their ids. Those that were revoked, expired,
 * deactivated, or lost their role or the right to manage webhooks are missing.
 */
export async function findCreators(
  db: Db,
  webhooks: readonly Pick<Webhook, 'createdBy' | 'teamId'>[],
  now: Date,
): Promise<ReadonlyMap<string, Creator>> {
  const ids = [...new Set(webhooks.map(({ createdBy }) => createdBy))];
  const creators = new Map<string, Creator>();
  const pairs = await db.keyPair.findMany({
    where: {
      id: { in: ids },
      revokedAt: null,
      OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
      rights: { has: 'keys' },
    },
  });
  for (const { id, allowAllCollections, allowedCollections, deletedCollections, rights } of pairs) {
    const scope = allowAllCollections ? ({ kind: 'all' } as const) : { kind: 'only' as const, ids: allowedCollections };
    creators.set(id, { scope, deletedCollections, rights: RIGHTS.filter((right) => rights.includes(right)) });
  }
  const people = await db.person.findMany({ where: { id: { in: ids }, status: 'active' } });
  const groups = await groupsOf(
    db,
    people.map(({ id }) => id),
  );
  for (const { id, role } of people) {
    if (hasRole(effectiveRole(role, groups(id)), leastRole('createWebhook')))
      creators.set(id, { scope: { kind: 'all' }, deletedCollections: [], rights: RIGHTS });
  }
  return creators;
}

/** The part of an event that decides who may receive it. */
interface EventSubject {
  readonly type: string;
  /** Empty: the whole team. */
  readonly collectionIds: readonly string[];
}

/** True if a list of collections contains all that an event is about. The whole team is in no list. */
const includesAll = (ids: readonly string[], { collectionIds }: EventSubject): boolean =>
  collectionIds.length > 0 && collectionIds.every((id) => ids.includes(id));

/** True if a webhook may receive an event: its creator has access, and the webhook's own list contains it. */
export function mayReceive(
  { scope, deletedCollections, rights }: Creator,
  { collections }: Pick<Webhook, 'collections'>,
  event: EventSubject,
): boolean {
  const right = rightFor(event.type);
  if (right !== undefined && !rights.includes(right)) return false;
  // Receivers with copies of the documents of a deleted collection need to delete them.
  const deleted = event.type === 'document.deleted' ? deletedCollections : [];
  if (scope.kind === 'only' && !includesAll([...scope.ids, ...deleted], event)) return false;
  return collections.length === 0 || includesAll(collections, event);
}
