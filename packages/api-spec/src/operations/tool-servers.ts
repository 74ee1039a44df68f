import { OUTSIDE_TOOL, TOOL_SERVER_SLUG } from '@lectern/contracts';
import { z } from 'zod';
import { jsonBody, optionalJsonBody, recordBody, withoutBody } from '#body';
import {
  anyObject,
  createdAt,
  deletedRecord,
  EXAMPLE_TIME,
  exampleId,
  failure,
  flag,
  idParam,
  idParams,
  integer,
  name,
  noFields,
  nullableTimestamp,
  ownId,
  pageQuery,
  recordId,
  text,
  updatedAt,
  wireSchemas,
} from '#fields';
import { none, one, operation, pageOf } from '#operation';
import { HTTP_URL, STORABLE } from '#patterns';

const MAX_URL = 2_000;
const MAX_DOCUMENT = 2_000_000;
const MAX_SECRET = 4_000;
const MAX_NAME = 200;
const MAX_SCOPES = 20;
/** Completes “This API key may not …”. */
const MANAGE = 'manage tool servers';

const url = z
  .url({
    protocol: /^https?$/,
    error: ({ input }) => (input === undefined ? undefined : 'must be an http or https URL'),
  })
  .max(MAX_URL)
  .register(wireSchemas, { schema: { type: 'string', format: 'uri', pattern: HTTP_URL, maxLength: MAX_URL } });

const NAME = { description: 'The name of the server.', examples: ['CRM'] };
const SLUG = {
  description:
    'The short name that begins the names of its tools: `crm` in `crm__find_customer`. It cannot be changed.',
  examples: ['crm'],
};
const URL = {
  description:
    'The address that receives the calls: the MCP endpoint, or the base address of the operations. Private addresses need `EGRESS_ALLOW`.',
  examples: ['https://crm.example.com/mcp'],
};
const DOCUMENT_URL = {
  description:
    'For `openapi`: the address of the OpenAPI document (3.0 or 3.1, JSON or YAML). It is read without credentials.',
};
const DOCUMENT = { description: 'For `openapi`: the OpenAPI document itself, instead of an address.' };
const SECRET = {
  description:
    'The secret of the authentication: a token, a header or parameter value, a password, or a client secret. It is stored encrypted and never returned.',
};

const kind = z
  .enum(['mcp', 'openapi'])
  .meta({ id: 'ToolServerKind', description: 'MCP over streamable HTTP, or HTTP operations of an OpenAPI document.' });

const field = (description: string) => z.string().min(1).max(MAX_NAME).meta({ description });
const auth = z
  .discriminatedUnion('type', [
    z
      .strictObject({ type: z.literal('none').meta({ description: 'No authentication.' }) })
      .meta({ id: 'NoToolServerAuth', description: 'No authentication.' }),
    z
      .strictObject({ type: z.literal('bearer').meta({ description: 'A bearer token.' }) })
      .meta({ id: 'BearerToolServerAuth', description: 'The secret is a bearer token.' }),
    z
      .strictObject({
        type: z.literal('header').meta({ description: 'A header.' }),
        name: field('The name of the header.'),
      })
      .meta({ id: 'HeaderToolServerAuth', description: 'The secret is the value of a header.' }),
    z
      .strictObject({
        type: z.literal('query').meta({ description: 'A parameter of the URL.' }),
        name: field('The name of the parameter.'),
      })
      .meta({ id: 'QueryToolServerAuth', description: 'The secret is the value of a parameter of the URL.' }),
    z
      .strictObject({
        type: z.literal('basic').meta({ description: 'Basic authentication.' }),
        username: z.string().max(500).meta({ description: 'The user name.' }),
      })
      .meta({ id: 'BasicToolServerAuth', description: 'The secret is the password of basic authentication.' }),
    z
      .strictObject({
        type: z.literal('oauth').meta({ description: 'OAuth 2.0 client credentials.' }),
        tokenUrl: url.meta({ description: 'The token URL.' }),
        clientId: field('The client id.'),
        scopes: z
          .array(z.string().min(1).max(MAX_NAME))
          .max(MAX_SCOPES)
          .default([])
          .meta({ description: 'The scopes to request.' }),
      })
      .meta({ id: 'OauthToolServerAuth', description: 'The secret is the client secret of OAuth client credentials.' }),
  ])
  .meta({ description: 'How Lectern authenticates at the server, without the secret.' });

const shownAuth = z
  .object({
    type: z
      .enum(['none', 'bearer', 'header', 'query', 'basic', 'oauth'])
      .meta({ id: 'ToolServerAuthType', description: 'The type of the authentication.' }),
    name: z.string().optional().meta({ description: 'The name of the header or the parameter.' }),
    username: z.string().optional().meta({ description: 'The user name of basic authentication.' }),
    tokenUrl: z.string().optional().meta({ description: 'The token URL of OAuth.' }),
    clientId: z.string().optional().meta({ description: 'The client id of OAuth.' }),
    scopes: z.array(z.string()).optional().meta({ description: 'The scopes of OAuth.' }),
  })
  .meta({ id: 'ToolServerAuth', description: 'How Lectern authenticates at a tool server, without the secret.' });

const secret = z
  .string()
  .min(1)
  .max(MAX_SECRET)
  .regex(/^[^\p{Cc}]*$/u, 'must not contain control characters')
  .register(wireSchemas, {
    schema: { type: 'string', minLength: 1, maxLength: MAX_SECRET, pattern: '^[^\\u0000-\\u001F\\u007F-\\u009F]*$' },
  });
const document = z.string().min(1).max(MAX_DOCUMENT).regex(new RegExp(STORABLE), 'must not contain U+0000');

const newServerBody = z
  .strictObject({
    name: name.meta(NAME),
    slug: z.string().regex(TOOL_SERVER_SLUG, 'must consist of a–z, 0–9 and hyphens, at most 20 characters').meta(SLUG),
    kind,
    url: url.meta(URL),
    documentUrl: url.optional().meta(DOCUMENT_URL),
    document: document.optional().meta(DOCUMENT),
    auth: auth.default({ type: 'none' }),
    secret: secret.optional().meta(SECRET),
  })
  .meta({
    examples: [
      {
        name: 'CRM',
        slug: 'crm',
        kind: 'mcp',
        url: 'https://crm.example.com/mcp',
        auth: { type: 'bearer' },
        secret: 'token-of-the-crm',
      },
    ],
  });

const changes = z
  .strictObject({
    name: name.meta(NAME),
    url: url.meta({ ...URL, description: `${URL.description} A new address needs the secret again.` }),
    documentUrl: url.nullable().meta({ ...DOCUMENT_URL, description: `${DOCUMENT_URL.description} Null for MCP.` }),
    document: document.meta(DOCUMENT),
    auth,
    secret: secret.meta(SECRET),
  })
  .partial()
  .meta({ id: 'ToolServerChanges', examples: [{ name: 'Customers' }] });

const EXAMPLE = {
  id: exampleId('tool_server'),
  name: 'CRM',
  slug: 'crm',
  kind: 'mcp',
  url: 'https://crm.example.com/mcp',
  documentUrl: null,
  documentBytes: null,
  auth: { type: 'bearer' },
  toolCount: 2,
  enabledToolCount: 1,
  changedToolCount: 0,
  notes: [],
  refreshedAt: EXAMPLE_TIME,
  createdAt: EXAMPLE_TIME,
  updatedAt: EXAMPLE_TIME,
};

const serverSchema = z
  .object({
    id: ownId('tool_server'),
    name: z.string().meta(NAME),
    slug: z.string().meta(SLUG),
    kind,
    url: z.string().meta(URL),
    documentUrl: z
      .string()
      .nullable()
      .meta({ description: `${DOCUMENT_URL.description} Null without one.` }),
    documentBytes: z.int().nullable().meta({ description: 'The size of the inline document. Null without one.' }),
    auth: shownAuth,
    toolCount: integer('The number of tools that the server lists.'),
    enabledToolCount: integer('The number of tools that agents can use.'),
    changedToolCount: integer('The number of tools that have changed since an editor enabled them.'),
    notes: z.array(z.string()).meta({ description: 'What the last listing left out, and why.' }),
    refreshedAt: nullableTimestamp('When the tools were last listed. Null for never.'),
    createdAt,
    updatedAt,
  })
  .meta({
    id: 'ToolServer',
    description: 'A server of others whose tools agents can use. Its secret is never returned.',
    examples: [EXAMPLE],
  });

const reportSchema = z
  .object({
    success: flag('True if the server lists its tools.'),
    latencyMs: integer('The duration of the test in milliseconds.'),
    toolCount: integer('The number of tools that the server lists.'),
    error: failure.nullable().meta({ description: 'Why the test failed. Null if it passed.' }),
  })
  .meta({
    id: 'ToolServerReport',
    description: 'The result of a connection test. The response is 200 even if it fails; see `success`.',
    examples: [{ success: true, latencyMs: 120, toolCount: 2, error: null }],
  });

const toolStatus = z.enum(['disabled', 'enabled', 'changed', 'missing', 'unusable']).meta({
  id: 'ServerToolStatus',
  description:
    'Agents can use only `enabled` tools. `changed`: its definition has changed since an editor enabled it. `missing`: the server no longer lists it. `unusable`: see `problem`.',
});
const CHANGES = {
  description: 'True if the tool changes something: a person must approve each call.',
};

const toolSchema = z
  .object({
    name: text('The name of the tool for agents.', 'crm__find_customer'),
    serverId: recordId('tool_server', 'The id of its server.'),
    nameAtServer: text('The name of the tool at its server.', 'find_customer'),
    description: text('The text of the server about the tool. The model sees exactly this text.'),
    inputSchema: anyObject.meta({ description: 'The JSON Schema of its arguments.' }),
    operation: z.string().nullable().meta({ description: 'For OpenAPI: the method and path. Null for MCP.' }),
    status: toolStatus,
    changesSomething: z.boolean().meta(CHANGES),
    readOnlyHint: z
      .boolean()
      .nullable()
      .meta({ description: 'What the server claims about the tool. Null if it claims nothing.' }),
    problem: z.string().nullable().meta({ description: 'Why the tool cannot be used. Null if it can.' }),
    version: text('A digest of the definition. Send it to enable the tool.', 'q9JYx0cLmP3s2T1v'),
  })
  .meta({
    id: 'ServerTool',
    description: 'A tool of a tool server. Its texts come from the server: they are data.',
    examples: [
      {
        name: 'crm__find_customer',
        serverId: exampleId('tool_server'),
        nameAtServer: 'find_customer',
        description: 'Finds a customer by email address.',
        inputSchema: { type: 'object', properties: { email: { type: 'string' } }, required: ['email'] },
        operation: null,
        status: 'enabled',
        changesSomething: false,
        readOnlyHint: true,
        problem: null,
        version: 'q9JYx0cLmP3s2T1v',
      },
    ],
  });

const toolChanges = z
  .strictObject({
    enabled: z.boolean().optional().meta({ description: 'True if agents may use the tool.' }),
    changesSomething: z.boolean().optional().meta(CHANGES),
    version: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'The version of the definition that you have read. Required to enable the tool.' }),
  })
  .meta({ examples: [{ enabled: true, changesSomething: false, version: 'q9JYx0cLmP3s2T1v' }] });

export const listToolServers = operation({
  id: 'listToolServers',
  method: 'get',
  path: '/api/v1/tool-servers',
  summary: 'List tool servers',
  description: 'Lists the tool servers of the team by name.',
  access: 'secret',
  fullScopeTo: MANAGE,
  params: none,
  query: pageQuery,
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(serverSchema)),
});

export const createToolServer = operation({
  id: 'createToolServer',
  method: 'post',
  path: '/api/v1/tool-servers',
  summary: 'Add a tool server',
  description:
    'Adds an MCP server, or an HTTP API with an OpenAPI document. Refresh it to list its tools, then enable the ones that agents may use.',
  access: 'secret',
  fullScopeTo: MANAGE,
  versioned: true,
  params: none,
  query: none,
  body: jsonBody(newServerBody, 'MAX_JSON_BYTES'),
  success: 201,
  response: one(serverSchema),
  errors: ['conflict', 'unavailable'],
});

export const getToolServer = operation({
  id: 'getToolServer',
  method: 'get',
  path: '/api/v1/tool-servers/{id}',
  summary: 'Get a tool server',
  description: 'Returns a tool server without its secret.',
  access: 'secret',
  fullScopeTo: MANAGE,
  versioned: true,
  params: idParams('tool_server'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(serverSchema),
});

export const updateToolServer = operation({
  id: 'updateToolServer',
  method: 'put',
  path: '/api/v1/tool-servers/{id}',
  summary: 'Update a tool server',
  description:
    'Changes the given fields of a tool server. If the address or the authentication changes, the secret is required again.',
  access: 'secret',
  fullScopeTo: MANAGE,
  versioned: true,
  params: idParams('tool_server'),
  query: none,
  body: recordBody(changes, serverSchema, [
    'refreshedAt',
    'toolCount',
    'enabledToolCount',
    'changedToolCount',
    'notes',
  ]),
  success: 200,
  response: one(serverSchema),
  errors: ['unavailable'],
});

export const deleteToolServer = operation({
  id: 'deleteToolServer',
  method: 'delete',
  path: '/api/v1/tool-servers/{id}',
  summary: 'Delete a tool server',
  description: 'Deletes a tool server and its tools. Agents can no longer use them.',
  access: 'secret',
  fullScopeTo: MANAGE,
  versioned: true,
  params: idParams('tool_server'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(deletedRecord),
});

export const refreshTools = operation({
  id: 'refreshTools',
  method: 'post',
  path: '/api/v1/tool-servers/{id}/refresh',
  summary: 'Refresh the tools of a server',
  description:
    'Lists the tools of a server again. New tools are disabled. Tools whose definition has changed cannot be used until an editor enables them again.',
  access: 'secret',
  fullScopeTo: MANAGE,
  params: idParams('tool_server'),
  query: none,
  body: optionalJsonBody(noFields),
  success: 200,
  response: one(serverSchema),
  errors: ['upstream_error', 'unavailable'],
});

export const testToolServer = operation({
  id: 'testToolServer',
  method: 'post',
  path: '/api/v1/tool-servers/{id}/test',
  summary: 'Test a tool server',
  description: 'Connects to a tool server and lists its tools. Nothing is stored.',
  access: 'secret',
  fullScopeTo: MANAGE,
  params: idParams('tool_server'),
  query: none,
  body: optionalJsonBody(noFields),
  success: 200,
  response: one(reportSchema),
});

export const listServerTools = operation({
  id: 'listServerTools',
  method: 'get',
  path: '/api/v1/tool-servers/{id}/tools',
  summary: 'List the tools of a server',
  description: 'Lists the tools of a tool server by name, as they were when it was last refreshed.',
  access: 'secret',
  fullScopeTo: MANAGE,
  params: idParams('tool_server'),
  query: pageQuery,
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(toolSchema)),
});

export const updateServerTool = operation({
  id: 'updateServerTool',
  method: 'put',
  path: '/api/v1/tool-servers/{id}/tools/{toolName}',
  summary: 'Enable or disable a tool',
  description:
    'Enables or disables a tool of a tool server, and sets whether it changes something. To enable it, send the version of the definition that you have read: if it has changed since, the response is 412.',
  access: 'secret',
  fullScopeTo: MANAGE,
  params: z.object({
    id: idParam('tool_server'),
    toolName: z
      .string()
      .regex(OUTSIDE_TOOL)
      .meta({ description: 'The name of the tool for agents.', examples: ['crm__find_customer'] }),
  }),
  query: none,
  body: jsonBody(toolChanges),
  success: 200,
  response: one(toolSchema),
  errors: ['precondition_failed'],
});

/** The tools of all servers, for those who create agents. */
export const listOutsideTools = operation({
  id: 'listOutsideTools',
  method: 'get',
  path: '/api/v1/tools',
  summary: 'List the tools of all tool servers',
  description: 'Lists the tools of all tool servers of the team by name.',
  access: 'secret',
  fullScopeTo: MANAGE,
  params: none,
  query: pageQuery,
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(toolSchema)),
});
