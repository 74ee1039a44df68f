import { type Connector, ConnectorStatus } from '@lectern/contracts';
import { z } from 'zod';
import { anyObject, timestamp } from '#http/answer-schema';
import { enumText, enumTexts } from '#http/enum-text';
import { time } from '#http/time';
import { connectorType } from '#operations/connectors/connector-type';

/** A connector. Credentials are no part of the record that the service answers, so they cannot leak here. */
export function connectorRecord(connector: Connector) {
  return {
    id: connector.id,
    name: connector.name,
    type: connector.type,
    status: enumText(ConnectorStatus, connector.status),
    statusReason: connector.statusReason ?? null,
    collection: connector.collectionId,
    config: connector.config ?? {},
    lastSync: time(connector.lastSync),
    createdAt: time(connector.createdAt),
    updatedAt: time(connector.updatedAt),
  };
}

export const connectorRecordSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    type: connectorType,
    status: z.enum(enumTexts(ConnectorStatus)),
    statusReason: z.string().nullable(),
    collection: z.string().meta({ description: 'The id of the collection it fills' }),
    config: anyObject,
    lastSync: timestamp.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({
    id: 'Connector',
    description: 'What pulls content from a source into a collection; its credentials are never shown',
    examples: [
      {
        id: 'con_01h455vb4pex5vsknk084sn02q',
        name: 'Files',
        type: 'upload',
        status: 'active',
        statusReason: null,
        collection: 'col_01h455vb4pex5vsknk084sn02q',
        config: {},
        lastSync: null,
        createdAt: '2026-11-21T10:00:00.000Z',
        updatedAt: '2026-11-21T10:00:00.000Z',
      },
    ],
  });
