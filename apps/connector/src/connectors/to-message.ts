import { type Connector as ConnectorMessage, ConnectorStatus } from '@lectern/contracts';
import { type Caller, digestOf } from '@lectern/service-kit';
import type { Connector, ConnectorStatus as StatusName } from '#gen/prisma/client';
import { jsonObject } from '../files/json-object.ts';

const STATUS: Readonly<Record<StatusName, ConnectorStatus>> = {
  pending_auth: ConnectorStatus.PENDING_AUTH,
  active: ConnectorStatus.ACTIVE,
  syncing: ConnectorStatus.SYNCING,
  paused: ConnectorStatus.PAUSED,
  error: ConnectorStatus.ERROR,
  deleting: ConnectorStatus.DELETING,
};

/** A connector's row with the number of credentials stored so far. */
export type ConnectorRow = Connector & { readonly secret: { readonly revision: number } | null };

/** The relations to include with a connector's row. */
export const WITH_SECRET = { secret: { select: { revision: true } } } as const;

/**
 * The revision of the fields that an update can change. Fields that syncs change (status, last
 * sync) are excluded.
 */
export const connectorRevision = ({ name, config, secret }: ConnectorRow): string =>
  digestOf([name, config, secret?.revision ?? 0]);

/**
 * Converts a connector's row to its contract form. The status reason may name files, so end users
 * do not see it.
 */
export function toConnectorMessage(row: ConnectorRow, caller?: Caller): ConnectorMessage {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    status: STATUS[row.status],
    statusReason: caller?.userEmail === undefined ? (row.statusReason ?? undefined) : undefined,
    collectionId: row.collectionId,
    config: jsonObject(row.config),
    lastSync: row.lastSync ?? undefined,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    revision: connectorRevision(row),
  };
}
