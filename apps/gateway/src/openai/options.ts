import type { CompleteRequest, GivenTool } from '@lectern/contracts';
import { invalidRequest } from '@lectern/service-kit';
import { z } from 'zod';

const MAX_TOOLS = 128;
const MAX_STOPS = 4;
const MAX_COLLECTIONS = 100;
const MAX_METADATA = 16;

const toolName = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, _ or -');
const schemaObject = z.record(z.string(), z.unknown());

/** A function that the client runs. */
export const functionSchema = z.looseObject({
  name: toolName,
  description: z.string().max(16_000).nullish(),
  parameters: schemaObject.nullish(),
  strict: z.boolean().nullish(),
});

export type FunctionTool = z.output<typeof functionSchema>;

/** The JSON Schema of a reply. */
export const jsonSchemaFormat = z.looseObject({
  name: toolName.default('reply'),
  description: z.string().max(16_000).nullish(),
  schema: schemaObject,
  strict: z.boolean().nullish(),
});

export const tools = <T extends z.ZodType>(tool: T) => z.array(tool).max(MAX_TOOLS).nullish();

/** The fields that both kinds of requests have. */
export const commonFields = {
  model: z.string().min(1).max(300),
  stream: z.boolean().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  user: z.string().max(1_000).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  metadata: z
    .record(z.string().max(64), z.string().max(10_000))
    .refine((value) => Object.keys(value).length <= MAX_METADATA, `must have at most ${MAX_METADATA} fields`)
    .nullish(),
  /** An addition: the ids of the collections to answer from. */
  collections: z.array(z.string().min(1).max(100)).min(1).max(MAX_COLLECTIONS).nullish(),
};

export const stopField = z.union([z.string().min(1).max(500), z.array(z.string().min(1).max(500)).max(MAX_STOPS)], {
  error: `must be a text or a list of at most ${MAX_STOPS} texts`,
});

/** The tokens of a reply. */
export const tokenLimit = z.int().min(1).max(1_000_000).nullish();

const issue = (path: string, message: string) => invalidRequest([{ path, message }]);

/** Throws `invalid_request` for a field that asks for something that Lectern does not do. */
export function rejectField(body: Readonly<Record<string, unknown>>, path: string, message: string): void {
  const value = body[path];
  if (value !== undefined && value !== null && value !== false) throw issue(path, message);
}

/** Returns the collections in the field, or in the metadata for clients that cannot send others. */
export function collectionsOf({
  collections,
  metadata,
}: {
  readonly collections?: readonly string[] | null | undefined;
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
}): string[] {
  const listed = metadata?.collections;
  if (listed === undefined) return [...(collections ?? [])];
  if (collections) throw issue('metadata.collections', 'must not be sent together with collections');
  const ids = listed.split(',').map((id) => id.trim());
  if (ids.length > MAX_COLLECTIONS || ids.some((id) => id === '' || id.length > 100)) {
    throw issue('metadata.collections', `must be 1 to ${MAX_COLLECTIONS} ids separated by commas`);
  }
  return ids;
}

/** A function without parameters has an empty schema. */
export const givenTool = ({ name, description, parameters, strict }: FunctionTool): GivenTool => ({
  name,
  description: description ?? '',
  parameters: JSON.stringify(parameters ?? { type: 'object', properties: {} }),
  strict: strict ?? undefined,
});

/** Returns the format of a reply for the chat service. */
export function replyFormat(
  type: string,
  path: string,
  described: z.output<typeof jsonSchemaFormat> | undefined,
): CompleteRequest['format'] {
  if (type === 'text') return undefined;
  const none = { name: '', description: '', schema: '', strict: undefined };
  if (type === 'json_object') return { type, ...none };
  if (type !== 'json_schema') throw issue(`${path}.type`, 'must be one of text, json_object, json_schema');
  if (described === undefined) throw issue(path, 'requires a schema');
  const { name, description, schema, strict } = described;
  return {
    type,
    name,
    description: description ?? '',
    schema: JSON.stringify(schema),
    strict: strict ?? undefined,
  };
}

/** Converts numbers that a client omitted. */
export const given = <T>(value: T | null | undefined): T | undefined => value ?? undefined;
