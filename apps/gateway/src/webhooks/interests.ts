import { EVENT_SOURCES, type EventServiceDefinition, type EventSource, type EventType } from '@lectern/contracts';
import type { GrpcClient, Logger } from '@lectern/service-kit';
import { z } from 'zod';
import type { Prisma, PrismaClient } from '#gen/prisma/client';
import { forAllTeams } from '#pipeline/for-all-teams';

type Db = Prisma.TransactionClient;

/** The services that record events. */
export type EventClients = Readonly<Record<EventSource, GrpcClient<typeof EventServiceDefinition>>>;

export const SOURCES = [...new Set(Object.values(EVENT_SOURCES))];

const storedVersions = z.partialRecord(z.enum(['collection', 'connector', 'chat', 'agent']), z.int());

/**
 * Computes which events the webhooks of a team need, in the transaction that changes a webhook. Returns
 * the version: from the moment that a service stores it, it records these events.
 */
export async function renewInterest(tx: Db, teamId: string): Promise<bigint> {
  // Higher than any version that a restored backup has forgotten.
  const [row] = await tx.$queryRaw<{ version: bigint }[]>`
    INSERT INTO webhook_interests AS known (team_id, version, types)
    VALUES (${teamId}, ${BigInt(Date.now())}, '{}')
    ON CONFLICT (team_id) DO UPDATE SET version = greatest(known.version + 1, excluded.version)
    RETURNING version`;
  // A new statement after the row is locked, so that it sees the webhooks of transactions before this one.
  await tx.$executeRaw`
    UPDATE webhook_interests SET types = ARRAY(
      SELECT DISTINCT unnest(events) FROM webhooks
      WHERE team_id = ${teamId} AND enabled AND deleted_at IS NULL ORDER BY 1)
    WHERE team_id = ${teamId}`;
  if (row === undefined) throw new TypeError('The interest of the team has no row.');
  return row.version;
}

/** Sends the interests to one service, and notes what it has stored. */
async function sendTo(
  db: PrismaClient,
  source: EventSource,
  clients: EventClients,
  teams: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<void> {
  const where = teams === undefined ? {} : { teamId: { in: [...teams] } };
  const rows = await db.webhookInterest.findMany({ where });
  const due = rows.filter(({ stored, version }) => storedVersions.parse(stored)[source] !== Number(version));
  if (due.length === 0) return;
  const interests = due.map(({ teamId, version, types }) => ({ teamId, version: Number(version), types }));
  await clients[source].setInterests({ interests }, forAllTeams(signal));
  for (const { teamId, version } of interests) {
    await db.$executeRaw`
      UPDATE webhook_interests SET stored = jsonb_set(stored, ARRAY[${source}], to_jsonb(${version}::bigint))
      WHERE team_id = ${teamId} AND coalesce((stored ->> ${source})::bigint, 0) < ${version}::bigint`;
  }
}

/**
 * Sends interests that services have not stored to them. A service that cannot be reached gets them
 * later: until then, it does not record new events, and the webhooks are `starting`.
 */
export async function sendInterests(
  { db, log }: { readonly db: PrismaClient; readonly log: Logger },
  clients: EventClients,
  signal: AbortSignal,
  teams?: readonly string[],
): Promise<void> {
  await Promise.all(
    SOURCES.map((source) =>
      sendTo(db, source, clients, teams, signal).catch((err: unknown) =>
        log.warn({ err, service: source }, 'could not send the events that webhooks need; will retry'),
      ),
    ),
  );
}

/** Renews the interests of all teams, for services that were restored from a backup. */
export async function renewInterests(db: PrismaClient): Promise<void> {
  const rows = await db.webhookInterest.findMany({ select: { teamId: true } });
  for (const { teamId } of rows) await db.$transaction((tx) => renewInterest(tx, teamId));
}

/** True if every service that records events of the webhook knows that the team needs them. */
export function isRecorded(events: readonly string[], interestVersion: bigint, stored: unknown): boolean {
  const versions = storedVersions.parse(stored);
  return events.every((type) => {
    const source = isEventType(type) ? EVENT_SOURCES[type] : undefined;
    return source === undefined || (versions[source] ?? 0) >= Number(interestVersion);
  });
}

const isEventType = (type: string): type is EventType => Object.hasOwn(EVENT_SOURCES, type);
