import { exampleId } from '#fields';
import { type JsonSchema, refTo } from '#openapi/components';
import { CODES_BY_STATUS, describeCodes, nameOfStatus } from '#openapi/error-codes';
import { securityOf } from '#openapi/security';
import { OPENAI_TAG } from '#openapi/tags';
import { accessOf, tokenRightOf } from '#roles';

const text = (description: string, more: JsonSchema = {}): JsonSchema => ({ type: 'string', description, ...more });
const integer = (description: string, more: JsonSchema = {}): JsonSchema => ({ type: 'integer', description, ...more });
const number = (description: string, more: JsonSchema = {}): JsonSchema => ({ type: 'number', description, ...more });
const flag = (description: string): JsonSchema => ({ type: 'boolean', description });
const list = (description: string, items: object): JsonSchema => ({ type: 'array', description, items });
const constant = (value: string, description: string): JsonSchema => ({ type: 'string', const: value, description });
const anyObject = (description: string): JsonSchema => ({ type: 'object', description, additionalProperties: true });
const nullable = ({ type, ...schema }: JsonSchema): JsonSchema => ({ ...schema, type: [type, 'null'] });
const object = (description: string, properties: JsonSchema, required: readonly string[] = []): JsonSchema => ({
  type: 'object',
  description,
  properties,
  required,
  additionalProperties: true,
});

const MODEL = text(
  '`lectern` for the default model, a language model, or `agent:` and the id or the name of an agent.',
  {
    minLength: 1,
    maxLength: 300,
  },
);
const COMMON: JsonSchema = {
  model: MODEL,
  stream: flag('True for a stream of Server-Sent Events.'),
  temperature: number('Ignored by models that do not support it.', { minimum: 0, maximum: 2 }),
  top_p: number('Ignored by models that do not support it.', { minimum: 0, maximum: 1 }),
  tools: list('Functions that the client runs.', anyObject('A function.')),
  tool_choice: { description: '`auto`, `none`, `required`, or one function.' },
  parallel_tool_calls: flag('False if a reply may contain only one tool call.'),
  user: text('The email address of the end user, like `X-Service-User`. Only with a secret key.', { maxLength: 1_000 }),
  metadata: anyObject('Up to 16 texts. `collections` can contain ids of collections separated by commas.'),
  collections: list('Ids of the collections to answer from. An addition of Lectern.', { type: 'string' }),
};

const CITATIONS = list('The cited documents, in the order of their numbers in the text. An addition of Lectern.', {
  $ref: '#/components/schemas/OpenAiCitation',
});
const CONFIDENCE: JsonSchema = {
  description: 'How well the sources support the reply. Null for tool calls and JSON. An addition of Lectern.',
  anyOf: [refTo('AnswerConfidence'), { type: 'null' }],
};

/** The schemas of the OpenAI-compatible API. They describe the fields that Lectern uses. */
export const OPENAI_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  OpenAiStream: text('Server-Sent Events, with `stream: true`: the events of OpenAI, with the same additions.'),
  OpenAiErrorResponse: object('A failed request.', { error: refTo('OpenAiError') }, ['error']),
  OpenAiError: object(
    'An error in the form of OpenAI.',
    {
      message: text('What failed, why, and what to do.'),
      type: text('The kind of the error.', { examples: ['invalid_request_error'] }),
      param: nullable(text('The field that is wrong.')),
      code: nullable(text('A code for programs.', { examples: ['model_not_found'] })),
      request_id: text('The id of the request.'),
    },
    ['message', 'type', 'param', 'code'],
  ),
  OpenAiCitation: object(
    'A document that a reply cites.',
    {
      index: integer('The number in the text.'),
      document_id: text('The id of the document.'),
      title: text('The title of the document.'),
      url: text('The URL of the document, or of its text in the API.'),
      excerpt: text('The cited passage.'),
    },
    ['index', 'document_id', 'title', 'url', 'excerpt'],
  ),
  ChatCompletionRequest: object(
    'A conversation to continue.',
    {
      ...COMMON,
      messages: list(
        'The conversation, oldest first. The last message is from the user or a tool.',
        refTo('OpenAiMessage'),
      ),
      max_tokens: integer('The maximum number of tokens in the reply.', { minimum: 1 }),
      max_completion_tokens: integer('The same. It takes precedence.', { minimum: 1 }),
      stop: { description: 'Up to 4 texts that end the reply.' },
      n: { type: 'integer', const: 1, description: 'The number of replies. Only 1.' },
      stream_options: object('Options of the stream.', {
        include_usage: flag('True for a last chunk with the usage.'),
      }),
      response_format: anyObject('`{type: text}`, `{type: json_object}`, or `{type: json_schema, json_schema}`.'),
    },
    ['model', 'messages'],
  ),
  OpenAiMessage: object(
    'A message.',
    {
      role: text('Who wrote it.', { enum: ['system', 'developer', 'user', 'assistant', 'tool'] }),
      content: { description: 'Text, or a list of parts of the type `text`.' },
      tool_calls: list('Calls of the assistant.', anyObject('A call.')),
      tool_call_id: text('The call whose result this is.'),
    },
    ['role'],
  ),
  ChatCompletion: object(
    'A reply.',
    {
      id: text('The id of the reply.'),
      object: constant('chat.completion', 'The kind of the object.'),
      created: integer('Seconds since 1970.'),
      model: text('The requested model.'),
      choices: list('One reply, with `url_citation` annotations.', anyObject('The reply.')),
      usage: anyObject('The tokens: `prompt_tokens`, `completion_tokens`, `total_tokens`.'),
      citations: CITATIONS,
      answer_confidence: CONFIDENCE,
    },
    ['id', 'object', 'created', 'model', 'choices', 'usage', 'citations', 'answer_confidence'],
  ),
  OpenAiResponseRequest: object(
    'A message, or a conversation to continue.',
    {
      ...COMMON,
      input: { description: 'Text, or a list of messages, function calls and their results.' },
      instructions: text('Instructions for this response.'),
      max_output_tokens: integer('The maximum number of tokens in the response.', { minimum: 1 }),
      previous_response_id: text('A stored response that `input` continues.'),
      store: flag('False if the response must not be stored. True if omitted, like at OpenAI.'),
      text: anyObject('`format`: `{type: text}`, `{type: json_object}`, or `{type: json_schema, name, schema}`.'),
    },
    ['model', 'input'],
  ),
  OpenAiResponse: object(
    'A response.',
    {
      id: text('The id of the response.'),
      object: constant('response', 'The kind of the object.'),
      created_at: integer('Seconds since 1970.'),
      status: text('`completed`, or `incomplete` if it was cut off.'),
      model: text('The requested model.'),
      output: list('A message, and function calls.', anyObject('An item.')),
      usage: anyObject('The tokens: `input_tokens`, `output_tokens`, `total_tokens`.'),
      previous_response_id: nullable(text('The response that it continues.')),
      store: flag('True if it is stored.'),
      citations: CITATIONS,
      answer_confidence: CONFIDENCE,
    },
    ['id', 'object', 'created_at', 'status', 'model', 'output', 'usage', 'citations', 'answer_confidence'],
  ),
  DeletedOpenAiResponse: object(
    'A deleted response.',
    {
      id: text('The id of the response.'),
      object: constant('response', 'The kind of the object.'),
      deleted: flag('Always true.'),
    },
    ['id', 'object', 'deleted'],
  ),
  OpenAiModel: object(
    'A model or an agent.',
    {
      id: text('The name to send as `model`.'),
      object: constant('model', 'The kind of the object.'),
      created: integer('Seconds since 1970. 0 if unknown.'),
      owned_by: text('The provider.'),
      name: text('A name for people.'),
      description: text('What an agent is for.'),
      context_window: integer('The context window in tokens.'),
    },
    ['id', 'object', 'created', 'owned_by', 'name'],
  ),
  OpenAiModelList: object(
    'The models of the caller.',
    { object: constant('list', 'The kind of the object.'), data: list('The models.', refTo('OpenAiModel')) },
    ['object', 'data'],
  ),
  EmbeddingsRequest: object(
    'Texts to encode.',
    {
      model: text('The embedding model in `GET /v1/models`.'),
      input: { description: 'A text, or a list of up to 2,048 texts. Tokens are not supported.' },
      encoding_format: text('`float`, or `base64` for little-endian 32-bit floats.', { enum: ['float', 'base64'] }),
      dimensions: integer('The length of the vectors, if the model supports another one.', { minimum: 1 }),
      input_type: text('`query` for questions, which some models encode differently. An addition of Lectern.', {
        enum: ['query', 'document'],
      }),
      user: text('The email address of the end user, like `X-Service-User`.'),
    },
    ['model', 'input'],
  ),
  EmbeddingsResponse: object(
    'The vectors of the texts.',
    {
      object: constant('list', 'The kind of the object.'),
      data: list('One for each text, in their order.', anyObject('`index` and `embedding`.')),
      model: text('The requested model.'),
      usage: anyObject('Estimated tokens: `prompt_tokens`, `total_tokens`.'),
    },
    ['object', 'data', 'model', 'usage'],
  ),
};

interface OpenAiOperation {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly body?: readonly [schema: string, example: object];
  readonly response: readonly [schema: string, example: object];
  readonly streams?: boolean;
  readonly parameter?: string;
}

const BASE_STATUSES = [400, 401, 403, 404, 429, 500, 503, 504];
const BODY_STATUSES = [409, 413, 415, 502];

function describe(operation: OpenAiOperation, errorHeaders: (status: number) => object): object {
  const { id, summary, description, body, response, streams = false, parameter } = operation;
  const access = accessOf(id);
  const tokenRight = tokenRightOf(access);
  const facts = [
    `Least role of a signed-in person: ${access.role ?? 'none, a key is required'}.`,
    `Right of a secret key: ${access.right === null ? 'none' : `\`${access.right}\``}.`,
    `User tokens: ${access.userToken ? `with the right \`${tokenRight}\`` : 'no'}.`,
  ];
  const statuses = body === undefined ? BASE_STATUSES : [...BASE_STATUSES, ...BODY_STATUSES].sort((a, b) => a - b);
  const errors = statuses.map((status) => [
    status,
    {
      description: describeCodes(CODES_BY_STATUS.get(status) ?? []) || nameOfStatus(status),
      headers: errorHeaders(status),
      content: { 'application/json': { schema: refTo('OpenAiErrorResponse'), example: ERROR_EXAMPLE } },
    },
  ]);
  const events = { 'text/event-stream': { schema: refTo('OpenAiStream') } };
  return {
    operationId: id,
    tags: [OPENAI_TAG],
    summary,
    description: `${description}\n\n${facts.join(' ')}`,
    security: securityOf({ id, access: 'secret' }),
    'x-lectern-access': access,
    parameters: [
      ...(parameter === undefined
        ? []
        : [{ name: 'id', in: 'path', required: true, description: parameter, schema: { type: 'string' } }]),
      { $ref: '#/components/parameters/ServiceUser' },
      { $ref: '#/components/parameters/Timestamp' },
      { $ref: '#/components/parameters/Signature' },
    ],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: refTo(body[0]), example: body[1] } },
          },
        }),
    responses: {
      200: {
        description: 'OK',
        headers: errorHeaders(200),
        content: {
          'application/json': { schema: refTo(response[0]), example: response[1] },
          ...(streams ? events : {}),
        },
      },
      ...Object.fromEntries(errors),
    },
  };
}

const ERROR_EXAMPLE = {
  error: {
    message: 'The model gpt-4 does not exist. GET /v1/models lists them.',
    type: 'invalid_request_error',
    param: 'model',
    code: 'model_not_found',
    request_id: 'req_01h455vb4pex5vsknk084sn02q',
  },
};
const CREATED = 1_795_255_200;
const ADDITIONS = {
  citations: [
    {
      index: 1,
      document_id: exampleId('document'),
      title: 'Leave',
      url: 'https://example.com/leave',
      excerpt: 'Thirty days a year.',
    },
  ],
  answer_confidence: { score: 0.91, label: 'high' },
};
const CITATION = { start_index: 20, end_index: 23, title: 'Leave', url: 'https://example.com/leave' };
const COMPLETION_EXAMPLE = {
  id: 'chatcmpl-01h455vb4pex5vsknk084sn02q',
  object: 'chat.completion',
  created: CREATED,
  model: 'lectern',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: 'Thirty days a year. [1]',
        refusal: null,
        annotations: [{ type: 'url_citation', url_citation: CITATION }],
      },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 210, completion_tokens: 12, total_tokens: 222 },
  ...ADDITIONS,
};
const RESPONSE_EXAMPLE = {
  id: 'resp_01h455vb4pex5vsknk084sn02q',
  object: 'response',
  created_at: CREATED,
  status: 'completed',
  model: 'lectern',
  output: [
    {
      id: 'msg_01h455vb4pex5vsknk084sn02q',
      type: 'message',
      status: 'completed',
      role: 'assistant',
      content: [
        {
          type: 'output_text',
          text: 'Thirty days a year. [1]',
          annotations: [{ type: 'url_citation', ...CITATION }],
          logprobs: [],
        },
      ],
    },
  ],
  previous_response_id: null,
  store: true,
  usage: { input_tokens: 210, output_tokens: 12, total_tokens: 222 },
  ...ADDITIONS,
};
const MODEL_EXAMPLE = {
  id: `agent:${exampleId('agent')}`,
  object: 'model',
  created: CREATED,
  owned_by: 'lectern',
  name: 'Travel helper',
};
const EMBEDDINGS_EXAMPLE = {
  object: 'list',
  data: [{ object: 'embedding', index: 0, embedding: [0.6, -0.8] }],
  model: 'openai/text-embedding-3-small',
  usage: { prompt_tokens: 2, total_tokens: 2 },
};

/** The operations by path and method. */
const OPERATIONS: Readonly<Record<string, Readonly<Record<string, OpenAiOperation>>>> = {
  '/v1/chat/completions': {
    post: {
      id: 'createChatCompletion',
      summary: 'Answer a conversation',
      description:
        'Chat Completions of OpenAI: answers the last message from the documents of the caller. Nothing is stored, except the run of an agent. Fields that are not listed are ignored.',
      body: ['ChatCompletionRequest', { model: 'lectern', messages: [{ role: 'user', content: 'How much leave?' }] }],
      response: ['ChatCompletion', COMPLETION_EXAMPLE],
      streams: true,
    },
  },
  '/v1/responses': {
    post: {
      id: 'createResponse',
      summary: 'Create a response',
      description:
        'The Responses API of OpenAI. A stored response can be continued for 30 days, by the callers that could see a conversation created by it.',
      body: ['OpenAiResponseRequest', { model: 'lectern', input: 'How much leave?' }],
      response: ['OpenAiResponse', RESPONSE_EXAMPLE],
      streams: true,
    },
  },
  '/v1/responses/{id}': {
    get: {
      id: 'getResponse',
      summary: 'Get a stored response',
      description: 'Returns a response, as long as the caller may read the documents that it is based on.',
      response: ['OpenAiResponse', RESPONSE_EXAMPLE],
      parameter: 'The id of the response.',
    },
    delete: {
      id: 'deleteResponse',
      summary: 'Delete a stored response',
      description: 'Deletes a response. Those that continue it stay.',
      response: ['DeletedOpenAiResponse', { id: RESPONSE_EXAMPLE.id, object: 'response', deleted: true }],
      parameter: 'The id of the response.',
    },
  },
  '/v1/models': {
    get: {
      id: 'listOpenAiModels',
      summary: 'List models and agents',
      description: 'Lists the language models, the agents that the caller can see, and the embedding model.',
      response: ['OpenAiModelList', { object: 'list', data: [MODEL_EXAMPLE] }],
    },
  },
  '/v1/models/{id}': {
    get: {
      id: 'getOpenAiModel',
      summary: 'Get a model or an agent',
      description: 'Returns one model.',
      response: ['OpenAiModel', MODEL_EXAMPLE],
      parameter: 'The name of the model.',
    },
  },
  '/v1/embeddings': {
    post: {
      id: 'createEmbeddings',
      summary: 'Encode texts',
      description:
        'Encodes texts with the configured embedding model. The built-in one is not available: its vectors depend on the documents of a team, and change with them.',
      body: ['EmbeddingsRequest', { model: 'openai/text-embedding-3-small', input: 'Leave' }],
      response: ['EmbeddingsResponse', EMBEDDINGS_EXAMPLE],
    },
  },
};

/** The ids of the operations. */
export const OPENAI_OPERATIONS: readonly string[] = Object.values(OPERATIONS).flatMap((methods) =>
  Object.values(methods).map(({ id }) => id),
);

/** Describes the OpenAI-compatible API. */
export const openAiPaths = (
  errorHeaders: (status: number) => object,
): Readonly<Record<string, Record<string, object>>> =>
  Object.fromEntries(
    Object.entries(OPERATIONS).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, operation]) => [method, describe(operation, errorHeaders)]),
      ),
    ]),
  );
