import { z } from 'zod';
import { batchError } from '#batch-error';
import { batchBody, optionalJsonBody, withoutBody } from '#body';
import {
  anyObject,
  documentMetadata,
  EXAMPLE_TIME,
  exampleId,
  failure,
  flag,
  idIn,
  idParam,
  idParams,
  integer,
  noFields,
  nullableTimestamp,
  ownId,
  pageQuery,
  principal,
  recordId,
  text,
  timestamp,
  timeText,
  webUrl,
  wireSchemas,
} from '#fields';
import { none, one, operation, pageOf } from '#operation';
import { STORABLE } from '#patterns';

const MAX_ID = 600;
const MAX_REVISION = Number.MAX_SAFE_INTEGER;

/** The id of an item in the system that pushes it. */
export const itemId = z
  .string()
  .min(1)
  .max(MAX_ID)
  .regex(new RegExp(STORABLE), 'must not contain the character U+0000')
  .meta({ description: 'Your id of the item, unique in the connector.', examples: ['hr/leave'] });

const revision = z
  .int()
  .min(0)
  .max(MAX_REVISION)
  .meta({
    description:
      'A number that grows with each change of the item: its version, or the time of the change in milliseconds. A change that is not newer is ignored.',
    examples: [7],
  });

const principals = z.array(principal).max(1_000);

const READERS =
  'Who can read the item: `public`, `user:<email>`, `user:<source>:<id>` or `group:<source>:<id>`. An empty list: no end user.';

const file = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .max(255)
      .regex(new RegExp(STORABLE))
      .meta({ description: 'The name of the file. Its extension helps to detect the type.', examples: ['leave.pdf'] }),
    data: z.base64('must be base64').min(1).meta({ description: 'The content of the file as base64.' }),
  })
  .meta({ id: 'ItemFile', description: 'A file that Lectern reads, for example a PDF.' });

const properties = {
  id: itemId,
  revision,
  title: z
    .string()
    .trim()
    .min(1)
    .max(1_000)
    .meta({ description: 'The title of the item.', examples: ['Leave'] }),
  url: webUrl.optional().meta({ description: 'The http or https URL of the item.' }),
  author: z.string().min(1).max(1_000).optional().meta({ description: 'The author of the item.' }),
  updatedAt: timeText
    .optional()
    .meta({ description: 'When the item changed at its source (ISO 8601, or a date in UTC).' }),
  metadata: documentMetadata.optional(),
  principals: principals.optional().meta({
    description: `${READERS} Omitted: those that you sent earlier, or else the \`principals\` of the connector (default: \`public\`).`,
  }),
};

const textItem = z
  .strictObject({
    action: z.literal('put').meta({ description: 'Creates or replaces the item with a text.' }),
    ...properties,
    content: z.string().regex(/\S/, 'must not be empty').meta({ description: 'The text of the item.' }),
    mimeType: z
      .enum(['text/markdown', 'text/plain', 'text/html'])
      .default('text/markdown')
      .meta({ id: 'ItemTextType', description: 'The type of the text.' }),
  })
  .meta({ id: 'PutItem', description: 'Creates or replaces an item with a text.' });

const fileItem = z
  .strictObject({
    action: z.literal('put_file').meta({ description: 'Creates or replaces the item with a file.' }),
    ...properties,
    file,
  })
  .meta({ id: 'PutFileItem', description: 'Creates or replaces an item with a file.' });

const permissionsItem = z
  .strictObject({
    action: z.literal('permissions').meta({ description: 'Replaces the readers of the item.' }),
    id: itemId,
    revision,
    principals: principals.meta({ description: READERS }),
  })
  .meta({
    id: 'ItemPermissions',
    description: 'Replaces the readers of an item. Readers that arrive before their item wait for it.',
  });

const deletedItem = z
  .strictObject({
    action: z.literal('delete').meta({ description: 'Deletes the item.' }),
    id: itemId,
    revision,
  })
  .meta({ id: 'ItemDeletion', description: 'Deletes an item. A change with an older revision does not restore it.' });

const itemChange = z
  .discriminatedUnion('action', [textItem, fileItem, permissionsItem, deletedItem], {
    error: (issue) =>
      issue.code === 'invalid_union' ? 'must be put, put_file, permissions or delete' : 'must be an object',
  })
  .meta({
    id: 'ItemChange',
    description: 'A change of one item.',
    examples: [{ action: 'put', id: 'hr/leave', revision: 7, title: 'Leave', content: 'Thirty days a year.' }],
  });

export type ItemChange = z.output<typeof itemChange>;

const resultSchema = z
  .object({
    status: z.enum(['accepted', 'ignored', 'failed']).meta({
      id: 'ItemResultStatus',
      description:
        '`accepted`: the change is stored. `ignored`: it is not newer than what is stored. `failed`: nothing was stored.',
    }),
    id: z.string().nullable().meta({ description: 'Your id of the item, if you sent a valid one.' }),
    revision: z
      .int()
      .nullable()
      .meta({ description: 'The newest revision of the item that Lectern knows. Null if the change failed.' }),
    error: batchError('Why the change failed. Null for other changes.'),
  })
  .meta({ id: 'ItemResult', description: 'The result of one change.' });

const pushSchema = z
  .object({
    accepted: integer('The number of stored changes.'),
    ignored: integer('The number of changes that are not newer than what is stored.'),
    failed: integer('The number of changes that failed.'),
    jobId: z.string().nullable().meta({
      description:
        'The id of the sync job that indexes the changes. Null if there is nothing to index, or nothing left to index of a repeated push.',
    }),
    results: z.array(resultSchema).meta({ description: 'One result per change, in the order of the request.' }),
  })
  .meta({
    id: 'ItemPush',
    description: 'The results of a push.',
    examples: [
      {
        accepted: 1,
        ignored: 0,
        failed: 0,
        jobId: exampleId('job'),
        results: [{ status: 'accepted', id: 'hr/leave', revision: 7, error: null }],
      },
    ],
  });

const itemSchema = z
  .object({
    id: text('Your id of the item.', 'hr/leave'),
    revision: integer('The newest revision of the item.'),
    title: text('The title of the item.', 'Leave'),
    status: z.enum(['pending', 'processing', 'indexed', 'failed', 'deleted']).meta({
      id: 'ItemStatus',
      description:
        'The status of its document. `deleted`: a person deleted the document; a change with a newer revision creates it again.',
    }),
    error: failure.nullable().meta({ description: 'Why the item could not be indexed. Null for other items.' }),
    documentId: z.string().nullable().meta({ description: 'The id of the document created from the item.' }),
    url: z.string().nullable().meta({ description: 'The URL of the item, if it has one.' }),
    author: z.string().nullable().meta({ description: 'The author of the item, if you sent one.' }),
    mimeType: z.string().nullable().meta({ description: 'The media type, if you sent a text.' }),
    size: integer('The size of the content in bytes.'),
    metadata: anyObject.meta({ description: 'The metadata that you sent.' }),
    principals: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Who can read the item. Null: the `principals` of the connector apply.' }),
    sourceUpdatedAt: nullableTimestamp('When the item changed at its source. Null if you sent no time.'),
    updatedAt: timestamp('When Lectern stored the last change.'),
  })
  .meta({
    id: 'PushedItem',
    description: 'An item that you pushed.',
    examples: [
      {
        id: 'hr/leave',
        revision: 7,
        title: 'Leave',
        status: 'indexed',
        error: null,
        documentId: exampleId('document'),
        url: null,
        author: null,
        mimeType: 'text/markdown',
        size: 19,
        metadata: {},
        principals: ['public'],
        sourceUpdatedAt: null,
        updatedAt: EXAMPLE_TIME,
      },
    ],
  });

const itemDeletionSchema = z
  .object({
    id: text('Your id of the item.', 'hr/leave'),
    deleted: flag('False if a newer revision of the item is stored.'),
    jobId: z.string().nullable().meta({ description: 'The id of the sync job that deletes the document.' }),
  })
  .meta({
    id: 'DeletedItem',
    description: 'The result of a deletion.',
    examples: [{ id: 'hr/leave', deleted: true, jobId: exampleId('job') }],
  });

const snapshotSchema = z
  .object({
    id: ownId('snapshot'),
    connector: recordId('connector', 'The id of the connector.'),
    status: z.enum(['open', 'held', 'completed', 'cancelled', 'expired']).meta({
      id: 'SnapshotStatus',
      description:
        '`held`: more than half of the items and more than 20 would be deleted. Complete it again with `confirmDeletions` to delete them.',
    }),
    named: integer('The number of items that it has named so far.'),
    missing: integer('The number of items that it did not name: they are deleted, or held.'),
    jobId: z.string().nullable().meta({ description: 'The id of the sync job that deletes the missing items.' }),
    createdAt: timestamp('When the snapshot was started.'),
    expiresAt: timestamp('When an open snapshot expires: 24 hours after its last batch.'),
  })
  .meta({
    id: 'Snapshot',
    description: 'A push of everything that exists in a system.',
    examples: [
      {
        id: exampleId('snapshot'),
        connector: exampleId('connector'),
        status: 'open',
        named: 100,
        missing: 0,
        jobId: null,
        createdAt: EXAMPLE_TIME,
        expiresAt: EXAMPLE_TIME,
      },
    ],
  });

const revisionText = z
  .string('must occur exactly once')
  .regex(/^\d{1,16}$/, 'must be a whole number')
  .transform(Number)
  .pipe(z.int().max(MAX_REVISION))
  .register(wireSchemas, { schema: { type: 'integer', minimum: 0, maximum: MAX_REVISION } });

const itemParams = z.object({
  id: idParam('connector'),
  itemId: itemId.meta({ description: 'Your id of the item, URL-encoded.', examples: ['hr/leave'] }),
});

const snapshotParams = z.object({ id: idParam('connector'), snapshotId: idParam('snapshot') });

export const pushItems = operation({
  id: 'pushItems',
  method: 'post',
  path: '/api/v1/connectors/{id}/items',
  summary: 'Push up to 100 items',
  description:
    'Stores changes of items of a `custom` connector and adds them to its sync job, which indexes them. An invalid change fails alone; the status is 200 even then. A change whose revision is not newer than what is stored is ignored, so a request can be sent again, and changes can arrive in any order.',
  access: 'secret',
  params: idParams('connector'),
  query: z.object({
    snapshot: idIn('snapshot').optional().meta({ description: 'The id of the snapshot that names these items.' }),
  }),
  body: batchBody(itemChange, {
    field: 'items',
    description: 'The changes. They apply in their order.',
    maxItems: 100,
    limit: 'MAX_DOCUMENT_BYTES',
  }),
  success: 200,
  response: one(pushSchema),
  errors: ['conflict'],
});

export const listItems = operation({
  id: 'listItems',
  method: 'get',
  path: '/api/v1/connectors/{id}/items',
  summary: 'List pushed items',
  description: 'Lists the items of a `custom` connector with the status of their documents, ordered by id.',
  access: 'secret',
  params: idParams('connector'),
  query: pageQuery,
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(itemSchema)),
});

export const getItem = operation({
  id: 'getItem',
  method: 'get',
  path: '/api/v1/connectors/{id}/items/{itemId}',
  summary: 'Get a pushed item',
  description: 'Returns an item of a `custom` connector with the status of its document.',
  access: 'secret',
  params: itemParams,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(itemSchema),
});

export const deleteItem = operation({
  id: 'deleteItem',
  method: 'delete',
  path: '/api/v1/connectors/{id}/items/{itemId}',
  summary: 'Delete a pushed item',
  description:
    'Deletes an item and its document. A later change with an older revision does not restore it. Without `revision`, the stored revision is deleted.',
  access: 'secret',
  params: itemParams,
  query: z.object({
    revision: revisionText
      .optional()
      .meta({ description: 'The revision of the deletion. Ignored if a newer revision is stored.' }),
  }),
  body: withoutBody,
  success: 200,
  response: one(itemDeletionSchema),
  errors: ['conflict'],
});

export const startSnapshot = operation({
  id: 'startSnapshot',
  method: 'post',
  path: '/api/v1/connectors/{id}/snapshots',
  summary: 'Start a snapshot',
  description:
    'Starts a push of everything that exists. Push all items with `snapshot`, then complete it: items that it did not name are deleted. Nothing is deleted before. It replaces a snapshot that is open.',
  access: 'secret',
  params: idParams('connector'),
  query: none,
  body: optionalJsonBody(noFields),
  success: 201,
  response: one(snapshotSchema),
  errors: ['conflict'],
});

export const getSnapshot = operation({
  id: 'getSnapshot',
  method: 'get',
  path: '/api/v1/connectors/{id}/snapshots/{snapshotId}',
  summary: 'Get a snapshot',
  description: 'Returns a snapshot.',
  access: 'secret',
  params: snapshotParams,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(snapshotSchema),
});

export const completeSnapshot = operation({
  id: 'completeSnapshot',
  method: 'post',
  path: '/api/v1/connectors/{id}/snapshots/{snapshotId}/complete',
  summary: 'Complete a snapshot',
  description:
    'Deletes the items that the snapshot did not name and that were not changed since it started. If that would be more than 20 items and more than half of them, nothing is deleted and the status is `held`; complete it again with `confirmDeletions`. Fails with 409 if the snapshot ended, expired or contained an item without a valid id.',
  access: 'secret',
  params: snapshotParams,
  query: none,
  body: optionalJsonBody(
    z
      .strictObject({
        confirmDeletions: z
          .boolean()
          .default(false)
          .meta({ description: 'True to delete the items even if they are most of them.' }),
      })
      .meta({ examples: [{ confirmDeletions: false }] }),
  ),
  success: 200,
  response: one(snapshotSchema),
  errors: ['conflict'],
});

export const cancelSnapshot = operation({
  id: 'cancelSnapshot',
  method: 'delete',
  path: '/api/v1/connectors/{id}/snapshots/{snapshotId}',
  summary: 'Cancel a snapshot',
  description: 'Cancels an open snapshot. Nothing is deleted; the items that it pushed remain.',
  access: 'secret',
  params: snapshotParams,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(snapshotSchema),
  errors: ['conflict'],
});
