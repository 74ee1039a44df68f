import { z } from 'zod';
import { jsonBody, optionalJsonBody, recordBody, withoutBody } from '#body';
import {
  anyObject,
  booleanText,
  createdAt,
  deletedRecord,
  EXAMPLE_TIME,
  exampleId,
  failure,
  flag,
  freeObject,
  id,
  idParams,
  name,
  noFields,
  nullableTimestamp,
  ownId,
  pageQuery,
  recordId,
  text,
  updatedAt,
} from '#fields';
import { pascalCase } from '#openapi/components';
import { none, one, operation, pageOf } from '#operation';
import { CONNECTOR_SETTINGS } from '#operations/connector-settings';

/** The connector service validates the `config` and `credentials` of each type. */
const connectorType = z
  .enum([
    's3',
    'google_drive',
    'gmail',
    'confluence',
    'jira',
    'microsoft_365',
    'github',
    'gitlab',
    'imap',
    'slack',
    'notion',
    'salesforce',
    'postgresql',
    'web',
    'upload',
    'custom',
  ])
  .meta({ id: 'ConnectorType', description: 'The type of a source.' });

const NAME = { description: 'The name of the connector.', examples: ['Reports'] };
const TYPE = {
  description: 'The type of the source. `upload` is for files that you upload, `custom` for items that you push.',
};
const CONFIG = {
  description: 'The settings of the source. The fields depend on the type, for example `bucket` and `region` for `s3`.',
};
const CREDENTIALS = {
  description:
    'The credentials for the source. They are stored encrypted and never returned. The fields depend on the type.',
};

/** A union by type: `base` plus the config and the credentials of each. */
function byType<T extends z.ZodRawShape>(prefix: string, base: T) {
  const [first, ...others] = Object.entries(CONNECTOR_SETTINGS).map(([type, { config, credentials }]) =>
    z
      .strictObject({ ...base, type: z.literal(type).meta(TYPE), config, credentials })
      .meta({ id: `${prefix}${pascalCase(type)}Connector`, description: `A connector of the type \`${type}\`.` }),
  );
  if (first === undefined) throw new TypeError('There are no types of connectors.');
  return z.discriminatedUnion('type', [first, ...others]);
}

const S3_EXAMPLE = {
  config: { bucket: 'reports', region: 'eu-central-1' },
  credentials: { accessKeyId: 'AKIA…', secretAccessKey: '…' },
};

const newConnectorFields = {
  name: name.meta(NAME),
  collection: id.meta({ description: 'The id of the collection to fill.', examples: [exampleId('collection')] }),
};

const newConnectorBody = z
  .strictObject({
    ...newConnectorFields,
    type: connectorType.meta(TYPE),
    config: freeObject.optional().meta(CONFIG),
    credentials: freeObject.optional().meta(CREDENTIALS),
  })
  .meta({ examples: [{ name: 'Reports', type: 's3', collection: exampleId('collection'), ...S3_EXAMPLE }] });

const connectorChanges = z
  .strictObject({
    name: name.optional().meta(NAME),
    config: freeObject
      .optional()
      .meta({ description: 'Settings to change. Each field in the body replaces the stored one; null removes it.' }),
    credentials: freeObject.optional().meta({ description: 'New credentials for the source.' }),
  })
  .meta({ examples: [{ config: { prefix: '2026/' } }] });

const settingsBody = z
  .strictObject({
    type: connectorType.meta(TYPE),
    config: freeObject.optional().meta(CONFIG),
    credentials: freeObject.optional().meta({ description: 'The credentials to test. They are not stored.' }),
  })
  .meta({ examples: [{ type: 's3', ...S3_EXAMPLE }] });

const connectorSchema = z
  .object({
    id: ownId('connector'),
    name: z.string().meta(NAME),
    type: connectorType.meta(TYPE),
    status: z.enum(['pending_auth', 'active', 'syncing', 'paused', 'error', 'deleting']).meta({
      id: 'ConnectorStatus',
      description: 'The status of the connector. `pending_auth` waits for the authorization of a user.',
    }),
    statusReason: z.string().nullable().meta({ description: 'Why the connector is paused or has an error.' }),
    collection: recordId('collection', 'The id of the collection that it fills.'),
    config: anyObject.meta({ description: 'The settings of the source, without credentials.' }),
    lastSync: nullableTimestamp('When a sync last completed. Null for never.'),
    createdAt,
    updatedAt,
  })
  .meta({
    id: 'Connector',
    description: 'Imports content from a source into a collection. Its credentials are never returned.',
    examples: [
      {
        id: exampleId('connector'),
        name: 'Files',
        type: 'upload',
        status: 'active',
        statusReason: null,
        collection: exampleId('collection'),
        config: {},
        lastSync: null,
        createdAt: EXAMPLE_TIME,
        updatedAt: EXAMPLE_TIME,
      },
    ],
  });

const connectionReportSchema = z
  .object({
    success: flag('True if the connector can read the source.'),
    latencyMs: z.number().meta({ description: 'The duration of the test in milliseconds.' }),
    checks: z
      .array(
        z
          .object({
            name: text('What was checked.', 'connection'),
            ok: flag('True if the check passed.'),
            message: text('The result of the check.'),
          })
          .meta({ id: 'ConnectionCheck', description: 'A part of a connection test.' }),
      )
      .meta({ description: 'The checks, in order.' }),
    error: failure.optional().meta({
      description:
        'Why the test failed. Omitted if it passed. The code is `auth` (the credentials are rejected), `forbidden` (the account lacks access), `invalid` or `gone` (a setting is wrong), `rate`, `transient`, `too_large`, `timeout`, `check_failed` or `internal_error`.',
    }),
  })
  .meta({
    id: 'ConnectionReport',
    description: 'The result of a connection test. The response is 200 even if a check fails; see `success`.',
    examples: [
      {
        success: true,
        latencyMs: 12,
        checks: [{ name: 'connection', ok: true, message: 'The source responds.' }],
      },
    ],
  });

export const listConnectors = operation({
  id: 'listConnectors',
  method: 'get',
  path: '/api/v1/connectors',
  summary: 'List connectors',
  description: 'Lists the connectors in the scope of the key, newest first.',
  access: 'secret',
  params: none,
  query: pageQuery,
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(connectorSchema)),
});

export const createConnector = operation({
  id: 'createConnector',
  method: 'post',
  path: '/api/v1/connectors',
  summary: 'Create a connector',
  description:
    'Creates a connector. Start a sync to import content. Google Drive and Notion need an authorization first.',
  access: 'secret',
  versioned: true,
  params: none,
  query: none,
  body: jsonBody(newConnectorBody, 'MAX_JSON_BYTES', byType('New', newConnectorFields)),
  success: 201,
  response: one(connectorSchema),
});

export const getConnector = operation({
  id: 'getConnector',
  method: 'get',
  path: '/api/v1/connectors/{id}',
  summary: 'Get a connector',
  description: 'Returns a connector without its credentials.',
  access: 'secret',
  versioned: true,
  params: idParams('connector'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(connectorSchema),
});

export const updateConnector = operation({
  id: 'updateConnector',
  method: 'put',
  path: '/api/v1/connectors/{id}',
  summary: 'Update a connector',
  description: 'Changes the given fields of a connector. `config` is merged field by field.',
  access: 'secret',
  versioned: true,
  params: idParams('connector'),
  query: none,
  body: recordBody(connectorChanges, connectorSchema),
  success: 200,
  response: one(connectorSchema),
});

export const deleteConnector = operation({
  id: 'deleteConnector',
  method: 'delete',
  path: '/api/v1/connectors/{id}',
  summary: 'Delete a connector',
  description: 'Deletes a connector and its documents. With `keepDocuments=true`, the documents remain.',
  access: 'secret',
  versioned: true,
  params: idParams('connector'),
  query: z.object({
    keepDocuments: booleanText.optional().meta({ description: 'True to keep the documents that it imported.' }),
  }),
  body: withoutBody,
  success: 200,
  response: one(deletedRecord),
});

export const testConnector = operation({
  id: 'testConnector',
  method: 'post',
  path: '/api/v1/connectors/{id}/test',
  summary: 'Test a connector',
  description: 'Checks that a connector can read its source with the stored settings and credentials.',
  access: 'secret',
  params: idParams('connector'),
  query: none,
  body: optionalJsonBody(noFields),
  success: 200,
  response: one(connectionReportSchema),
  errors: ['upstream_error'],
});

export const testSettings = operation({
  id: 'testSettings',
  method: 'post',
  path: '/api/v1/connectors/test',
  summary: 'Test connector settings',
  description: 'Checks settings and credentials before you create a connector with them. Nothing is stored.',
  access: 'secret',
  params: none,
  query: none,
  body: jsonBody(settingsBody, 'MAX_JSON_BYTES', byType('Test', {})),
  success: 200,
  response: one(connectionReportSchema),
  errors: ['upstream_error'],
});
