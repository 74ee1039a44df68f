import type { ConnectorType, Settings } from '@lectern/connectors';
import { type Connector as ConnectorMessage, ConnectorStatus, isId } from '@lectern/contracts';
import { AppError, type Caller, digestOf, isLimitedToOwn, notFound, requireInScope } from '@lectern/service-kit';
import { jsonObject, toJson } from '#common/json';
import { defineMachine } from '#common/state-machine';
import { EVENT_COLUMNS, recordConnectorEvent } from '#connectors/record-event';
import type { Context } from '#context';
import type { Connector, Prisma, ConnectorStatus as StatusName } from '#gen/prisma/client';

// --- States ---

/**
 * A connector in `pending_auth` becomes active through `authorizeConnector`, never because a job
 * ends.
 */
export const connectorMachine = defineMachine<StatusName>({
  pending_auth: ['error', 'deleting'],
  active: ['pending_auth', 'syncing', 'paused', 'error', 'deleting'],
  syncing: ['pending_auth', 'active', 'error', 'deleting'],
  paused: ['active', 'error', 'deleting'],
  error: ['active', 'syncing', 'pending_auth', 'paused', 'deleting'],
  deleting: [],
});

/** States in which a connector needs a person. */
const BROKEN: readonly StatusName[] = ['error', 'pending_auth'];

/**
 * Moves a connector to a status, in a transaction. Returns false if the move is not legal from its
 * current status.
 */
export async function moveConnector(
  tx: Prisma.TransactionClient,
  id: string,
  to: StatusName,
  data: Prisma.ConnectorUpdateManyMutationInput = {},
): Promise<boolean> {
  const [moved] = await tx.connector.updateManyAndReturn({
    where: { id, status: { in: connectorMachine.before(to) } },
    data: { statusReason: null, ...data, status: to },
    select: EVENT_COLUMNS,
  });
  if (moved === undefined) return false;
  if (BROKEN.includes(to)) {
    await recordConnectorEvent(tx, moved, 'connector.error', (connector) => ({ ...connector, status: to }));
  }
  return true;
}

/** Activates a connector that its user has authorized. */
export async function authorizeConnector(tx: Prisma.TransactionClient, id: string): Promise<void> {
  await tx.connector.updateMany({
    where: { id, status: { in: ['pending_auth', 'error'] } },
    data: { status: 'active', statusReason: null },
  });
}

export const beingDeleted = () =>
  new AppError('conflict', 'The connector is being deleted and cannot be used. Create a new connector.');

/**
 * Locks a connector's row until the transaction ends, so that changes of its files, its jobs and its
 * deletion run one after the other. Throws `conflict` if it is being deleted.
 */
export async function lockConnector(tx: Prisma.TransactionClient, id: string): Promise<void> {
  const [row] = await tx.$queryRaw<{ status: string }[]>`
    SELECT status::text FROM connectors WHERE id = ${id} FOR NO KEY UPDATE`;
  if (row === undefined || row.status === 'deleting') throw beingDeleted();
}

// --- Rows ---

/** A connector's row with the number of credentials stored so far. */
export type ConnectorRow = Connector & { readonly secret: { readonly revision: number } | null };

/** The relations to include with a connector's row. */
export const WITH_SECRET = { secret: { select: { revision: true } } } as const;

/** Validated properties of a new connector. */
export interface NewConnector {
  readonly id: string;
  readonly teamId: string;
  readonly collectionId: string;
  readonly name: string;
  readonly type: ConnectorType;
  readonly config: Settings;
  readonly credentials: Settings;
}

/**
 * Creates a connector and seals its credentials. If it needs an authorization, it waits for its
 * user.
 */
export function insertConnector(ctx: Context, { type, credentials, ...fields }: NewConnector): Promise<ConnectorRow> {
  const pending = {
    status: 'pending_auth' as const,
    statusReason: 'The connector is waiting for its authorization (POST /api/v1/oauth/init).',
  };
  const data = {
    ...fields,
    type: type.name,
    config: toJson(fields.config),
    ...(type.needsAuthorization(credentials) ? pending : {}),
  };
  return ctx.db.$transaction(async (tx) => {
    const row = await tx.connector.create({ data });
    await ctx.secrets.replace(tx, row, credentials);
    return tx.connector.findUniqueOrThrow({ where: { id: row.id }, include: WITH_SECRET });
  });
}

/**
 * Finds a connector of the caller's team. Throws `not_found`, or `forbidden` if its collection is
 * outside the key's scope.
 */
export async function findConnector(ctx: Context, caller: Caller, id: string): Promise<ConnectorRow> {
  const { teamId } = caller;
  const found = isId('connector', id)
    ? await ctx.db.connector.findFirst({ where: { id, teamId }, include: WITH_SECRET })
    : null;
  if (found === null) throw notFound('connector', id);
  requireInScope(caller, found.collectionId);
  return found;
}

// --- Messages ---

const STATUS: Readonly<Record<StatusName, ConnectorStatus>> = {
  pending_auth: ConnectorStatus.PENDING_AUTH,
  active: ConnectorStatus.ACTIVE,
  syncing: ConnectorStatus.SYNCING,
  paused: ConnectorStatus.PAUSED,
  error: ConnectorStatus.ERROR,
  deleting: ConnectorStatus.DELETING,
};

/**
 * Returns the revision of the fields that an update can change. Fields that syncs change (status,
 * last sync) are excluded.
 */
export const connectorRevision = ({ name, config, secret }: ConnectorRow): string =>
  digestOf([name, config, secret?.revision ?? 0]);

/**
 * Converts a connector's row to its contract form. The status reason may name files, so only
 * callers who may manage files see it.
 */
export function toConnectorMessage(row: ConnectorRow, caller: Caller): ConnectorMessage {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    status: STATUS[row.status],
    statusReason: isLimitedToOwn(caller) ? undefined : (row.statusReason ?? undefined),
    collectionId: row.collectionId,
    config: jsonObject(row.config),
    lastSync: row.lastSync ?? undefined,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    revision: connectorRevision(row),
  };
}
