import { z } from 'zod';
import { description, ids, name } from '#http/fields';

const MAX_PROMPT = 100_000;
const MAX_START_MESSAGE = 5_000;

/** What an agent may be allowed to use. */
export const TOOLS = [
  'search_documents',
  'get_document',
  'summarize_document',
  'search_database_schema',
  'query_database',
  'get_table_info',
  'calculate',
  'get_datetime',
] as const;

/** What an agent does with its memories. */
export const MEMORY_MODES = ['off', 'recall', 'auto'] as const;

/** An agent's fields, for its creation and its update. */
export const agentFields = {
  name,
  description,
  systemPrompt: z.string().max(MAX_PROMPT).regex(/\S/, 'must not be empty'),
  tools: z.array(z.enum(TOOLS)).max(TOOLS.length),
  collections: ids.meta({
    description: 'The collections that the agent may search. Empty: everything that the calling key may read',
  }),
  startMessage: z.string().max(MAX_START_MESSAGE),
  memory: z.enum(MEMORY_MODES),
};
