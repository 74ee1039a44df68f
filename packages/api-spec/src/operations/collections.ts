import { z } from 'zod';
import { jsonBody, recordBody, withoutBody } from '#body';
import {
  createdAt,
  deletedRecord,
  description,
  EXAMPLE_TIME,
  exampleId,
  idParams,
  integer,
  modelName,
  name,
  nullableTimestamp,
  ownId,
  pageQuery,
  text,
  updatedAt,
} from '#fields';
import { none, one, operation, pageOf } from '#operation';

const NAME = { description: 'The name of the collection.', examples: ['Handbook'] };
const MODEL = {
  description:
    'The embedding model. Default: the model of the installation. A change moves all documents to the new model in the background.',
};

const item = {
  id: ownId('collection'),
  name: text('The name of the collection.', 'Handbook'),
  description: z.string().nullable().meta({ description: 'What the collection contains. Null if not set.' }),
  documentCount: integer('The number of documents, without deleted ones.'),
  failedCount: integer('How many of the documents could not be indexed. 0 for end users and publishable keys.'),
  embeddingModel: text('The embedding model of the documents.', 'builtin'),
  createdAt,
};
const ITEM_EXAMPLE = {
  id: exampleId('collection'),
  name: 'Handbook',
  description: 'How we work',
  documentCount: 42,
  failedCount: 0,
  embeddingModel: 'builtin',
  createdAt: EXAMPLE_TIME,
};

const collectionItemSchema = z.object(item).meta({
  id: 'CollectionItem',
  description: 'A collection in a list.',
  examples: [ITEM_EXAMPLE],
});

const collectionSchema = z
  .object({
    ...item,
    embeddingCount: integer('The number of embeddings, one per passage.'),
    connectors: z.array(z.string()).meta({ description: 'The ids of the connectors that fill the collection.' }),
    reindexing: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'The number of documents that still have to move to another embedding model.' }),
    updatedAt,
  })
  .meta({
    id: 'Collection',
    description: 'A group of documents and their embeddings.',
    examples: [{ ...ITEM_EXAMPLE, embeddingCount: 380, connectors: [], updatedAt: EXAMPLE_TIME }],
  });

const statsSchema = z
  .object({
    documentCount: integer('The number of documents, without deleted ones.'),
    embeddingCount: integer('The number of embeddings, one per passage.'),
    storageBytes: integer('The size of the stored texts and files in bytes.'),
    lastSync: nullableTimestamp('When a sync of a connector last completed. Null for never.'),
  })
  .meta({
    id: 'CollectionStats',
    description: 'The current size of a collection.',
    examples: [{ documentCount: 42, embeddingCount: 380, storageBytes: 1_250_000, lastSync: null }],
  });

const newCollectionBody = z
  .strictObject({
    name: name.meta(NAME),
    description: description.optional().meta({ description: 'What the collection contains.' }),
    embeddingModel: modelName.optional().meta(MODEL),
  })
  .meta({ examples: [{ name: 'Handbook', description: 'How we work' }] });

const collectionChanges = z
  .strictObject({
    name: name.optional().meta(NAME),
    description: description
      .nullable()
      .optional()
      .meta({ description: 'What the collection contains. Null or an empty string clears it.' }),
    embeddingModel: modelName.optional().meta(MODEL),
  })
  .meta({ examples: [{ description: 'How we work here' }] });

export const listCollections = operation({
  id: 'listCollections',
  method: 'get',
  path: '/api/v1/collections',
  summary: 'List collections',
  description: 'Lists the collections in the scope of the key, newest first.',
  access: 'publishable',
  params: none,
  query: pageQuery,
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(collectionItemSchema)),
});

export const createCollection = operation({
  id: 'createCollection',
  method: 'post',
  path: '/api/v1/collections',
  summary: 'Create a collection',
  description: 'Creates an empty collection. The key must have access to all collections.',
  access: 'secret',
  fullScopeTo: 'create collections',
  versioned: true,
  params: none,
  query: none,
  body: jsonBody(newCollectionBody),
  success: 201,
  response: one(collectionSchema),
});

export const getCollection = operation({
  id: 'getCollection',
  method: 'get',
  path: '/api/v1/collections/{id}',
  summary: 'Get a collection',
  description: 'Returns a collection with the ids of its connectors.',
  access: 'publishable',
  versioned: true,
  params: idParams('collection'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(collectionSchema),
});

export const updateCollection = operation({
  id: 'updateCollection',
  method: 'put',
  path: '/api/v1/collections/{id}',
  summary: 'Update a collection',
  description: 'Changes the given fields of a collection.',
  access: 'secret',
  ofCollection: true,
  versioned: true,
  params: idParams('collection'),
  query: none,
  body: recordBody(collectionChanges, collectionSchema),
  success: 200,
  response: one(collectionSchema),
});

export const deleteCollection = operation({
  id: 'deleteCollection',
  method: 'delete',
  path: '/api/v1/collections/{id}',
  summary: 'Delete a collection',
  description: 'Deletes a collection with its documents, embeddings and connectors. This cannot be undone.',
  access: 'secret',
  versioned: true,
  params: idParams('collection'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(deletedRecord),
});

export const refreshStats = operation({
  id: 'refreshCollectionStats',
  method: 'post',
  path: '/api/v1/collections/{id}/refresh-stats',
  summary: 'Refresh the statistics of a collection',
  description: 'Counts the documents, embeddings and bytes of a collection and returns the result.',
  access: 'secret',
  params: idParams('collection'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(statsSchema),
});
