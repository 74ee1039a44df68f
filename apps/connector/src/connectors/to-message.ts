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

/** A connector's row, with what counts the credentials given so far. */
export type ConnectorRow = Connector & { readonly secret: { readonly revision: number } | null };

/** What to select with a connector's row. */
export const WITH_SECRET = { secret: { select: { revision: true } } } as const;

/** The revision of what an update can change. What syncs change (status, last sync) is no part of it. */
export const connectorRevision = ({ name, config, secret }: ConnectorRow): string =>
  digestOf([name, config, secret?.revision ?? 0]);

/** A connector's row as the contract shows it. Why it is in its state may name files, so an end user is not told. */
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
