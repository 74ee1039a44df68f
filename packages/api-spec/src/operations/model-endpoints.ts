import { z } from 'zod';
import { jsonBody, recordBody, withoutBody } from '#body';
import {
  createdAt,
  deletedRecord,
  EXAMPLE_TIME,
  exampleId,
  failure,
  flag,
  idIn,
  idParams,
  integer,
  modelName,
  name,
  ownId,
  pageQuery,
  text,
  updatedAt,
  wireSchemas,
} from '#fields';
import { none, one, operation, pageOf } from '#operation';
import { SERVER_URL } from '#patterns';

const MAX_URL = 2_000;
const MAX_KEY = 4_000;
const MAX_MODELS = 50;
const MIN_WINDOW = 1_024;
const MAX_WINDOW = 10_000_000;
/** Completes “This API key may not …”. */
const MANAGE = 'manage model endpoints';

const url = z
  .url({
    protocol: /^https?$/,
    error: ({ input }) => (input === undefined ? undefined : 'must be an http or https URL'),
  })
  .max(MAX_URL)
  .regex(new RegExp(SERVER_URL), 'must be a URL without a user name, a query or a fragment')
  .register(wireSchemas, { schema: { type: 'string', format: 'uri', pattern: SERVER_URL, maxLength: MAX_URL } });

const key = z
  .string()
  .min(1)
  .max(MAX_KEY)
  .regex(/^[\x21-\x7e]+$/, 'must consist of ASCII characters without spaces');

const provider = z.enum(['anthropic', 'openai']).meta({
  id: 'ModelEndpointProvider',
  description: "The protocol: Anthropic's Messages API, or the Chat Completions API of OpenAI and compatible servers.",
});

const NAME = { description: 'The name of the endpoint.', examples: ['Ollama'] };
const URL = {
  description:
    'The base address, for an OpenAI-compatible server ending in `/v1`. Null: the address of Anthropic or OpenAI. Private addresses need `EGRESS_ALLOW`.',
  examples: ['http://ollama.example.com:11434/v1'],
};
const KEY = {
  description:
    'The API key. It is stored encrypted and never returned. Only OpenAI-compatible servers with a `url` can work without one.',
};

const MODEL_EXAMPLE = { id: 'llama-3.3-70b', contextWindow: 131_072 };
const modelId = modelName
  .regex(/^[^\s\p{Cc}]([^\p{Cc}]*[^\s\p{Cc}])?$/u, 'must not contain control characters or surrounding spaces')
  .register(wireSchemas, {
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      pattern:
        '^[^\\s\\u0000-\\u001F\\u007F-\\u009F]([^\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F])?$',
    },
  });
const WINDOW = {
  description: 'The context window in tokens. Null: that of a model that Lectern knows by name, otherwise a default.',
};

const models = z
  .array(
    z
      .strictObject({
        id: modelId.meta({ description: 'The name of the model at the provider.', examples: [MODEL_EXAMPLE.id] }),
        contextWindow: z.int().min(MIN_WINDOW).max(MAX_WINDOW).nullable().default(null).meta(WINDOW),
      })
      .meta({ id: 'EndpointModelInput', description: 'A model that the team uses.' }),
  )
  .min(1)
  .max(MAX_MODELS);
const MODELS = {
  description:
    'The models that the team uses. A model hides a model of the installation with the same name. Two endpoints cannot offer the same model.',
};

const newEndpointBody = z
  .strictObject({
    name: name.meta(NAME),
    provider,
    url: url.nullable().default(null).meta(URL),
    key: key.optional().meta(KEY),
    models: models.meta(MODELS),
  })
  .meta({
    examples: [{ name: 'Ollama', provider: 'openai', url: URL.examples[0], models: [MODEL_EXAMPLE] }],
  });

const changes = z
  .strictObject({
    name: name.meta(NAME),
    url: url.nullable().meta({ ...URL, description: `${URL.description} A new address needs the key again.` }),
    key: key.nullable().meta({ description: `${KEY.description} Null removes it.` }),
    models: models.meta(MODELS),
  })
  .partial()
  .meta({ id: 'ModelEndpointChanges', examples: [{ name: 'Ollama, new server' }] });

const endpointModels = z.array(
  z
    .object({
      id: text('The name of the model.', MODEL_EXAMPLE.id),
      contextWindow: z
        .int()
        .nullable()
        .meta({ ...WINDOW, examples: [MODEL_EXAMPLE.contextWindow] }),
    })
    .meta({ id: 'EndpointModel', description: 'A model of an endpoint.', examples: [MODEL_EXAMPLE] }),
);

const EXAMPLE = {
  id: exampleId('model_endpoint'),
  name: 'Ollama',
  provider: 'openai',
  url: URL.examples[0],
  hasKey: false,
  models: [MODEL_EXAMPLE],
  createdAt: EXAMPLE_TIME,
  updatedAt: EXAMPLE_TIME,
};

const endpointSchema = z
  .object({
    id: ownId('model_endpoint'),
    name: z.string().meta(NAME),
    provider,
    url: z.string().nullable().meta(URL),
    hasKey: flag('True if a key is stored.'),
    models: endpointModels.meta(MODELS),
    createdAt,
    updatedAt,
  })
  .meta({
    id: 'ModelEndpoint',
    description: 'A connection of the team to a provider of language models. Its key is never returned.',
    examples: [EXAMPLE],
  });

const testBody = z
  .strictObject({
    id: idIn('model_endpoint')
      .optional()
      .meta({
        description: 'The id of a stored endpoint. Its address and key are used unless others are sent.',
        examples: [EXAMPLE.id],
      }),
    provider: provider
      .optional()
      .meta({ description: 'The protocol. Required without `id`. With `id` it must be that of the endpoint.' }),
    url: url.nullable().optional().meta(URL),
    key: key.optional().meta(KEY),
    model: modelId.optional().meta({
      description: 'The model to ask. The default is the first one that the endpoint lists.',
      examples: [MODEL_EXAMPLE.id],
    }),
  })
  .meta({ examples: [{ provider: 'openai', url: URL.examples[0], model: MODEL_EXAMPLE.id }] });

const reportSchema = z
  .object({
    success: flag('True if a model has replied.'),
    latencyMs: integer('The duration of the test in milliseconds.'),
    models: endpointModels.meta({ description: 'The chat models that the endpoint lists, at most 200.' }),
    listError: failure.nullable().meta({ description: 'Why there is no list. Null if there is one.' }),
    model: z
      .string()
      .nullable()
      .meta({ description: 'The model that was asked. Null if none is known.', examples: [MODEL_EXAMPLE.id] }),
    error: failure.nullable().meta({ description: 'Why no model has replied. Null if one has.' }),
  })
  .meta({
    id: 'ModelEndpointReport',
    description: 'The result of a test. The response is 200 even if it fails; see `success`.',
    examples: [
      {
        success: true,
        latencyMs: 840,
        models: [MODEL_EXAMPLE],
        listError: null,
        model: MODEL_EXAMPLE.id,
        error: null,
      },
    ],
  });

const settingsFields = {
  defaultModel: modelName.nullable().meta({
    description:
      'The model for requests that name none, from `GET /api/v1/models`. Null: the default of the installation.',
    examples: [MODEL_EXAMPLE.id],
  }),
};
const settingsSchema = z.object(settingsFields).meta({
  id: 'ModelSettings',
  description: 'What the team has chosen about language models.',
  examples: [{ defaultModel: MODEL_EXAMPLE.id }],
});

export const listModelEndpoints = operation({
  id: 'listModelEndpoints',
  method: 'get',
  path: '/api/v1/model-endpoints',
  summary: 'List model endpoints',
  description: 'Lists the model endpoints of the team by name.',
  access: 'secret',
  fullScopeTo: MANAGE,
  params: none,
  query: pageQuery,
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(endpointSchema)),
});

export const createModelEndpoint = operation({
  id: 'createModelEndpoint',
  method: 'post',
  path: '/api/v1/model-endpoints',
  summary: 'Add a model endpoint',
  description:
    'Adds an account at Anthropic or OpenAI, or an OpenAI-compatible server, with the models that the team uses. Only this team can use them. Questions, conversations and the passages that answer them are sent to this address.',
  access: 'secret',
  fullScopeTo: MANAGE,
  versioned: true,
  params: none,
  query: none,
  body: jsonBody(newEndpointBody),
  success: 201,
  response: one(endpointSchema),
  errors: ['conflict', 'unavailable'],
});

export const testModelEndpoint = operation({
  id: 'testModelEndpoint',
  method: 'post',
  path: '/api/v1/model-endpoints/test',
  summary: 'Test a model endpoint',
  description:
    'Lists the models of an endpoint and asks one of them for a word. Nothing is stored. If the address of a stored endpoint changes, send the key again.',
  access: 'secret',
  fullScopeTo: MANAGE,
  params: none,
  query: none,
  body: jsonBody(testBody),
  success: 200,
  response: one(reportSchema),
  errors: ['not_found', 'unavailable'],
});

export const getModelEndpoint = operation({
  id: 'getModelEndpoint',
  method: 'get',
  path: '/api/v1/model-endpoints/{id}',
  summary: 'Get a model endpoint',
  description: 'Returns a model endpoint without its key.',
  access: 'secret',
  fullScopeTo: MANAGE,
  versioned: true,
  params: idParams('model_endpoint'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(endpointSchema),
});

export const updateModelEndpoint = operation({
  id: 'updateModelEndpoint',
  method: 'put',
  path: '/api/v1/model-endpoints/{id}',
  summary: 'Update a model endpoint',
  description:
    'Changes the given fields of a model endpoint. If the address changes, the key is required again. The default model of the team cannot be removed.',
  access: 'secret',
  fullScopeTo: MANAGE,
  versioned: true,
  params: idParams('model_endpoint'),
  query: none,
  body: recordBody(changes, endpointSchema, ['hasKey']),
  success: 200,
  response: one(endpointSchema),
  errors: ['conflict', 'unavailable'],
});

export const deleteModelEndpoint = operation({
  id: 'deleteModelEndpoint',
  method: 'delete',
  path: '/api/v1/model-endpoints/{id}',
  summary: 'Delete a model endpoint',
  description:
    'Deletes a model endpoint and its key. Requests that name one of its models then fail. An endpoint with the default model of the team cannot be deleted.',
  access: 'secret',
  fullScopeTo: MANAGE,
  versioned: true,
  params: idParams('model_endpoint'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(deletedRecord),
  errors: ['conflict'],
});

export const getModelSettings = operation({
  id: 'getModelSettings',
  method: 'get',
  path: '/api/v1/model-settings',
  summary: 'Get the default model',
  description: 'Returns the default language model that the team has chosen.',
  access: 'secret',
  fullScopeTo: MANAGE,
  params: none,
  query: none,
  body: withoutBody,
  success: 200,
  response: one(settingsSchema),
});

export const updateModelSettings = operation({
  id: 'updateModelSettings',
  method: 'put',
  path: '/api/v1/model-settings',
  summary: 'Change the default model',
  description: 'Chooses the language model for requests of the team that name none.',
  access: 'secret',
  fullScopeTo: MANAGE,
  params: none,
  query: none,
  body: jsonBody(z.strictObject(settingsFields).meta({ examples: [{ defaultModel: MODEL_EXAMPLE.id }] })),
  success: 200,
  response: one(settingsSchema),
});
