import { type Connector as ConnectorMessage, ConnectorStatus } from '@lectern/contracts';
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

/** A connector's row as the contract shows it. */
export function toConnectorMessage(row: Connector): ConnectorMessage {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    status: STATUS[row.status],
    statusReason: row.statusReason ?? undefined,
    collectionId: row.collectionId,
    config: jsonObject(row.config),
    lastSync: row.lastSync ?? undefined,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}
