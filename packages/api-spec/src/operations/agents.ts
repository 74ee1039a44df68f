import { AGENT_TOOLS, OUTSIDE_TOOL } from '@lectern/contracts';
import { z } from 'zod';
import { jsonBody, recordBody, withoutBody } from '#body';
import {
  createdAt,
  deletedRecord,
  description,
  EXAMPLE_TIME,
  exampleId,
  fieldName,
  flag,
  idParams,
  ids,
  linkedIds,
  name,
  ownId,
  pageQuery,
  text,
  updatedAt,
} from '#fields';
import { none, one, operation, pageOf } from '#operation';

const MAX_PROMPT = 100_000;
const MAX_START_MESSAGE = 5_000;
const MAX_VARIABLES = 100;

const MAX_TOOLS = 64;

const tool = z
  .union([
    z.enum(AGENT_TOOLS).meta({ id: 'BuiltInTool', description: 'A tool of Lectern.' }),
    z
      .string()
      .regex(OUTSIDE_TOOL, 'must be a tool of Lectern, or the name of a tool of a tool server')
      .meta({ id: 'OutsideTool', description: 'The name of an enabled tool of a tool server.' }),
  ])
  .meta({ id: 'AgentTool', description: 'A tool of an agent.' });

const NAME = { description: 'The name of the agent.', examples: ['Helper'] };
const TOOLS = {
  description:
    'The tools that the agent can use: those of Lectern, and enabled tools of tool servers (`crm__find_customer`). Only a caller with access to the whole team can add the latter.',
};
const COLLECTIONS = {
  description:
    'Ids of the collections that the agent can search. An empty list means everything in the scope of the calling key.',
};
const MEMORY = {
  description:
    'How the agent uses its memories: `off`, `recall` (reads them), or `auto` (reads them and proposes new ones).',
};
const memory = z.enum(['off', 'recall', 'auto']).meta({ id: 'AgentMemory', ...MEMORY });

const fields = {
  name: name.meta(NAME),
  description: description.meta({ description: 'What the agent is for.' }),
  systemPrompt: z
    .string()
    .max(MAX_PROMPT)
    .regex(/\S/, 'must not be empty')
    .meta({ description: 'The instructions of the agent.' }),
  tools: z.array(tool).max(MAX_TOOLS).meta(TOOLS),
  collections: ids.meta(COLLECTIONS),
  startMessage: z
    .string()
    .max(MAX_START_MESSAGE)
    .meta({ description: 'A greeting to show at the start of a conversation.' }),
  memory: memory.meta(MEMORY),
};

/** Settings of one run, in place of those of its agent. */
export const runSettings = z
  .strictObject({
    systemPrompt: fields.systemPrompt,
    tools: fields.tools,
    collections: fields.collections,
    memory: fields.memory,
  })
  .meta({
    id: 'RunSettings',
    description:
      'Settings for this run, in place of those of the agent: to try changes before they are saved. All four are required. The run recalls memories, but adds none. Requires the role editor, and a request without `X-Service-User`.',
    examples: [
      {
        systemPrompt: 'You help with questions about leave.',
        tools: ['search_documents'],
        collections: [],
        memory: 'off',
      },
    ],
  });

export type RunSettings = z.output<typeof runSettings>;

const newAgentBody = z
  .strictObject({
    ...fields,
    description: fields.description.optional(),
    tools: fields.tools.default([]),
    collections: fields.collections.default([]),
    startMessage: fields.startMessage.optional(),
    memory: fields.memory.optional(),
  })
  .meta({
    examples: [{ name: 'Helper', systemPrompt: 'You help with questions about leave.', tools: ['search_documents'] }],
  });

const agentChanges = z
  .strictObject({
    ...fields,
    description: fields.description
      .nullable()
      .meta({ description: 'What the agent is for. Null or an empty string clears it.' }),
    startMessage: fields.startMessage
      .nullable()
      .meta({ description: 'A greeting to show at the start of a conversation. Null or an empty string clears it.' }),
  })
  .partial()
  .meta({ examples: [{ name: 'Helper', tools: [] }] });

const item = {
  id: ownId('agent'),
  name: z.string().meta(NAME),
  description: z.string().nullable().meta({ description: 'What the agent is for. Null if not set.' }),
  tools: z.array(tool).meta(TOOLS),
  collections: z.array(z.string()).meta({
    description:
      'Ids of the collections that the agent can search. Deleted collections stay in the list; runs ignore them.',
  }),
  startMessage: z
    .string()
    .nullable()
    .meta({ description: 'A greeting to show at the start of a conversation. Null if not set.' }),
  memory: memory.meta(MEMORY),
  createdAt,
  updatedAt,
};
const EXAMPLE = {
  id: exampleId('agent'),
  name: 'Helper',
  description: null,
  tools: ['search_documents'],
  collections: [exampleId('collection')],
  startMessage: 'What would you like to know?',
  memory: 'recall',
  createdAt: EXAMPLE_TIME,
  updatedAt: EXAMPLE_TIME,
};

const agentItemSchema = z.object(item).meta({
  id: 'AgentItem',
  description: 'An agent without its instructions.',
  examples: [EXAMPLE],
});

const agentSchema = z.object({ ...item, systemPrompt: text('The instructions of the agent.') }).meta({
  id: 'Agent',
  description: 'An assistant with its own instructions, tools and collections.',
  examples: [{ ...EXAMPLE, systemPrompt: 'You help with questions about leave.' }],
});

export const listAgents = operation({
  id: 'listAgents',
  method: 'get',
  path: '/api/v1/agents',
  summary: 'List agents',
  description: 'Lists the agents of the team, newest first, without their instructions.',
  access: 'secret',
  params: none,
  query: pageQuery,
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(agentItemSchema)),
});

export const createAgent = operation({
  id: 'createAgent',
  method: 'post',
  path: '/api/v1/agents',
  summary: 'Create an agent',
  description: 'Creates an agent. The response does not include its instructions.',
  access: 'secret',
  versioned: true,
  params: none,
  query: none,
  body: jsonBody(newAgentBody, 'MAX_JSON_BYTES'),
  success: 201,
  response: one(agentItemSchema),
});

export const getAgent = operation({
  id: 'getAgent',
  method: 'get',
  path: '/api/v1/agents/{id}',
  summary: 'Get an agent',
  description: 'Returns an agent with its instructions.',
  access: 'secret',
  versioned: true,
  params: idParams('agent'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(agentSchema),
});

export const updateAgent = operation({
  id: 'updateAgent',
  method: 'put',
  path: '/api/v1/agents/{id}',
  summary: 'Update an agent',
  description: 'Changes the given fields of an agent.',
  access: 'secret',
  versioned: true,
  params: idParams('agent'),
  query: none,
  body: recordBody(agentChanges, agentSchema),
  success: 200,
  response: one(agentSchema),
});

export const deleteAgent = operation({
  id: 'deleteAgent',
  method: 'delete',
  path: '/api/v1/agents/{id}',
  summary: 'Delete an agent',
  description: 'Deletes an agent with its memories and runs. Its conversations remain.',
  access: 'secret',
  versioned: true,
  params: idParams('agent'),
  query: none,
  body: withoutBody,
  success: 200,
  response: one(deletedRecord),
});

// Templates

const templateId = z
  .string()
  .register(linkedIds, { kind: 'template' })
  .meta({ description: 'The id of the template.', examples: ['tpl_support-agent'] });

const templateSchema = z
  .object({
    id: text('The id of the template: `tpl_` and a name.', 'tpl_support-agent').register(linkedIds, {
      kind: 'template',
    }),
    name: text('The name of the template.'),
    description: text('What agents created from this template are for.'),
    category: text('The category of the template.', 'support'),
    systemPrompt: text('The instructions. `{{name}}` marks where the value of a variable goes.'),
    tools: z.array(tool).meta({ description: 'The tools of agents created from this template.' }),
    startMessage: text('The greeting at the start of a conversation.'),
    variables: z
      .array(
        z
          .object({
            name: text('The name of the variable.', 'product'),
            description: text('What the variable is for.'),
            required: flag('True if a value is required.'),
            default: z.string().nullable().meta({ description: 'The default value.' }),
          })
          .meta({ id: 'AgentTemplateVariable', description: 'A variable of a template.' }),
      )
      .meta({ description: 'The variables of the instructions and the greeting.' }),
  })
  .meta({
    id: 'AgentTemplate',
    description: 'A template for agents.',
    examples: [
      {
        id: 'tpl_support-agent',
        name: 'Support agent',
        description: 'Answers customers from help articles.',
        category: 'support',
        systemPrompt: 'You answer questions of the users of {{product}}.',
        tools: ['search_documents'],
        startMessage: 'Hi! What can I help you with in {{product}}?',
        variables: [
          { name: 'product', description: 'The product that users ask about.', required: true, default: null },
        ],
      },
    ],
  });

const fromTemplateBody = z
  .strictObject({
    name: name.optional().meta({ description: 'The name of the agent. Default: the name of the template.' }),
    collections: ids.default([]).meta(COLLECTIONS),
    variables: z
      .record(fieldName.min(1).max(100), z.string())
      .refine((variables) => Object.keys(variables).length <= MAX_VARIABLES, 'has too many entries')
      .default({})
      .meta({ description: 'The values of the variables, by name. At most 100.' }),
  })
  .meta({ examples: [{ name: 'Sam', variables: { product: 'Acme' } }] });

export const listTemplates = operation({
  id: 'listTemplates',
  method: 'get',
  path: '/api/v1/agent-templates',
  summary: 'List agent templates',
  description: 'Lists the templates that agents can be created from, by name.',
  access: 'secret',
  params: none,
  query: pageQuery,
  body: withoutBody,
  success: 200,
  response: pageOf(z.array(templateSchema)),
});

export const getTemplate = operation({
  id: 'getTemplate',
  method: 'get',
  path: '/api/v1/agent-templates/{id}',
  summary: 'Get an agent template',
  description: 'Returns a template with its instructions and variables.',
  access: 'secret',
  params: z.object({ id: templateId }),
  query: none,
  body: withoutBody,
  success: 200,
  errors: ['not_found'],
  response: one(templateSchema),
});

export const createFromTemplate = operation({
  id: 'createFromTemplate',
  method: 'post',
  path: '/api/v1/agents/from-template/{templateId}',
  summary: 'Create an agent from a template',
  description: 'Creates an agent with the instructions, tools and greeting of a template.',
  access: 'secret',
  versioned: true,
  params: z.object({ templateId }),
  query: none,
  body: jsonBody(fromTemplateBody, 'MAX_JSON_BYTES'),
  success: 201,
  errors: ['not_found'],
  response: one(agentItemSchema),
});
