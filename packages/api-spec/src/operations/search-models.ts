import { z } from 'zod';
import { withoutBody } from '#body';
import { flag, integer, linkedIds, text } from '#fields';
import { none, one, operation } from '#operation';

const MAX_ID = 100;

const searchModelSchema = z
  .object({
    id: text('The id of the model.', 'small-english').register(linkedIds, { kind: 'search model' }),
    title: text('A short name for people.', 'Small, English'),
    description: text('What the model changes for searches.', 'Finds passages that answer a question in other words.'),
    embeddingModel: text('The embedding model of its collections.', 'onnx/Xenova/bge-small-en-v1.5'),
    languages: z
      .enum(['english', 'multilingual', 'any'])
      .meta({ description: 'The languages of texts that the model understands.', examples: ['english'] }),
    sizeBytes: integer('The approximate size of the download. 0 if there is none.'),
    passagesPerSecond: z
      .number()
      .nullable()
      .meta({
        description: 'The passages that the server encodes per second. Null: not known.',
        examples: [11.5],
      }),
    isMeasured: flag('True if `passagesPerSecond` is measured on this server, false if it is an estimate.'),
    state: z.enum(['available', 'downloading', 'ready', 'moving', 'active', 'failed', 'unavailable']).meta({
      description:
        '`available`: can be chosen, and is downloaded first. `downloading`: was chosen, and is being downloaded. `ready`: can be chosen without a download. `moving`: documents move to it, and searches find each document under the earlier model until it has moved. `active`: in use. `failed`: was chosen, and could not be downloaded or started. `unavailable`: cannot run on this installation.',
      examples: ['downloading'],
    }),
    progress: z
      .object({
        done: integer('Downloaded bytes, or moved documents.'),
        total: integer('All bytes of the download, or all documents that move.'),
      })
      .meta({ id: 'SearchModelProgress', description: 'The progress of a download or a move.' })
      .nullable()
      .meta({
        description: 'The progress in the states `downloading` and `moving`. Null in other states.',
        examples: [{ done: 12_000_000, total: 35_000_000 }],
      }),
    error: z
      .string()
      .nullable()
      .meta({ description: 'The reason for the states `failed` and `unavailable`. Null in other states.' }),
    isPrevious: flag('True for the model that the team used before. Use it again to undo the change.'),
  })
  .meta({
    id: 'SearchModel',
    description: 'An embedding model that a team can choose for its collections.',
    examples: [
      {
        id: 'small-english',
        title: 'Small, English',
        description: 'Finds passages that answer a question in other words. For English texts.',
        embeddingModel: 'onnx/Xenova/bge-small-en-v1.5',
        languages: 'english',
        sizeBytes: 35_000_000,
        passagesPerSecond: 11.5,
        isMeasured: false,
        state: 'downloading',
        progress: { done: 12_000_000, total: 35_000_000 },
        error: null,
        isPrevious: false,
      },
    ],
  });

export const listSearchModels = operation({
  id: 'listSearchModels',
  method: 'get',
  path: '/api/v1/search-models',
  summary: 'List search models',
  description:
    'Lists the embedding models that the team can choose: the default of the installation, and local models that Lectern downloads. They show the progress of a change.',
  access: 'secret',
  fullScopeTo: 'list search models',
  params: none,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(z.array(searchModelSchema)),
});

export const useSearchModel = operation({
  id: 'useSearchModel',
  method: 'post',
  path: '/api/v1/search-models/{id}/use',
  summary: 'Use a search model',
  description:
    'Starts to use a model for new collections, and for all collections that use the current model of the team. In the background, the model is downloaded, and documents are encoded again. Searches continue meanwhile. Use the previous model to undo the change, or the current one to cancel it before documents move.',
  access: 'secret',
  fullScopeTo: 'change the search model',
  params: z.object({
    id: z
      .string()
      .min(1)
      .max(MAX_ID)
      .register(linkedIds, { kind: 'search model' })
      .meta({ description: 'The id of the model.', examples: ['small-english'] }),
  }),
  query: none,
  body: withoutBody,
  success: 202,
  errors: ['conflict'],
  response: one(searchModelSchema),
});
