import { createHash } from 'node:crypto';
import { digestOf } from '@lectern/service-kit';
import { storableJson, storableText } from '@lectern/text';
import { sizeProblem } from '#tool-servers/json-size';
import { SERVER_LIMITS } from '#tool-servers/limits';
import type { Operation } from '#tool-servers/openapi/operation';

/** A tool as its server lists it, bounded. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** For OpenAPI. */
  readonly operation?: Operation;
  /** What the server claims. */
  readonly readOnlyHint?: boolean;
  /** The default of "changes something". Only the methods of an OpenAPI document are trusted. */
  readonly changes: boolean;
  /** Why it cannot be used. */
  readonly problem?: string;
}

/** The tools of a server, and what was left out. */
export interface Listing {
  readonly tools: readonly ListedTool[];
  readonly notes: readonly string[];
}

/** Characters that a reader does not see, but a model reads. */
const INVISIBLE = /[\p{Cf}\p{Co}\p{Cn}]|[^\P{Cc}\n\t]/gu;

/** Returns true if a name of others can be stored, and if a reader sees all of it. */
export const isVisible = (name: string): boolean => !/\p{C}/u.test(name);

/** Removes invisible characters from a text of others and limits its length. */
export function visibleText(text: string, maxCharacters: number): string {
  const visible = [
    ...storableText(text.slice(0, maxCharacters * 8))
      .replaceAll(INVISIBLE, '')
      .trim(),
  ];
  return visible.length <= maxCharacters ? visible.join('') : `${visible.slice(0, maxCharacters - 1).join('')}…`;
}

function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [map(name), mapStrings(field, map)]));
}

/**
 * Bounds a tool. One with a schema that is too large is listed without it, and with the reason. `redact`
 * replaces the secrets of the server.
 */
export function toListedTool(
  tool: Omit<ListedTool, 'inputSchema'> & { readonly inputSchema: unknown },
  redact: (text: string) => string = (text) => text,
): ListedTool {
  const { inputSchema: schema, ...rest } = tool;
  const description = redact(visibleText(tool.description, SERVER_LIMITS.description));
  const size =
    typeof schema !== 'object' || schema === null || Array.isArray(schema)
      ? 'is not an object'
      : sizeProblem(schema, { bytes: SERVER_LIMITS.schemaBytes, depth: SERVER_LIMITS.schemaDepth });
  const visible = (text: string) => redact(text.replaceAll(INVISIBLE, ''));
  if (size !== undefined) return { ...rest, description, inputSchema: {}, problem: `Its schema ${size}.` };
  return { ...rest, description, inputSchema: { ...Object(storableJson(mapStrings(schema, visible))) } };
}

/** Returns the digest of everything that an editor confirms. */
export const versionOf = ({ description, inputSchema, operation }: ListedTool): string =>
  digestOf([description, inputSchema, operation ?? null]);

const PLAIN = /^[A-Za-z0-9_-]{1,42}$/;
const KEPT_CHARACTERS = 35;

/**
 * Returns the name of a tool for agents. It always begins with the slug and two underscores, which no
 * tool of Lectern contains. A name that models do not accept gets a digest, so that two never become
 * the same.
 */
export function agentToolName(slug: string, name: string): string {
  if (PLAIN.test(name)) return `${slug}__${name}`;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 6);
  const kept = name.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, KEPT_CHARACTERS);
  return `${slug}__${kept}_${digest}`;
}
