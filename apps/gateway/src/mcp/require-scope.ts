import { APP_SCOPES, type AppScope, type Right } from '@lectern/api-spec';
import { z } from 'zod';
import { requireRight } from '#keys/rights';
import { MissingScope } from '#mcp/challenge';
import { TOOLS } from '#mcp/tools/all';
import type { KeyedCall } from '#pipeline/operation';

const toolCall = z.object({ method: z.literal('tools/call'), params: z.object({ name: z.string() }) });
const otherCall = z.object({ method: z.string() });

const READS: readonly string[] = ['resources/list', 'resources/read'];

/** Returns the right that a message needs, if it is known before the message is handled. */
function rightFor(message: unknown): Right | undefined {
  const call = toolCall.safeParse(message);
  if (call.success) return TOOLS.find(({ name }) => name === call.data.params.name)?.right;
  const other = otherCall.safeParse(message);
  return other.success && READS.includes(other.data.method) ? 'documents:read' : undefined;
}

const isScope = (right: Right): right is AppScope => APP_SCOPES.some((scope) => scope === right);

/** Throws `forbidden` if a key or an app does not have a right. The role of a person allows it. */
export function requireToolRight({ key }: KeyedCall, right: Right): void {
  if (key.person === undefined) requireRight(key, right);
}

/**
 * Rejects a message for which an app lacks a scope. The response is an HTTP error and not the result of a
 * tool, because that makes the app ask its person for the scope. Throws `MissingScope`.
 */
export function requireScope({ key }: KeyedCall, message: unknown): void {
  if (key.app === undefined) return;
  const right = rightFor(message);
  if (right === undefined || key.rights.includes(right)) return;
  if (isScope(right)) throw new MissingScope(right, key.rights);
}
