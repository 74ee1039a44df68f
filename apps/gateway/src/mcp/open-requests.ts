import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { KeyedCall } from '#pipeline/operation';

const cancelled = z.object({
  method: z.literal('notifications/cancelled'),
  params: z.object({ requestId: z.union([z.string(), z.number()]) }),
});
const request = z.object({ id: z.union([z.string(), z.number()]) });
const SESSION = /^[0-9a-f-]{36}$/;

/** Requests that are running on this replica, so that a later message can cancel them. */
export interface OpenRequests {
  /** Registers a request until `end` is called. Its signal aborts when it is cancelled. */
  start(call: KeyedCall, message: unknown): { readonly signal: AbortSignal; readonly end: () => void };
  /** Cancels the request that a notification names. */
  cancel(call: KeyedCall, message: unknown): void;
}

/**
 * A client numbers its requests from 0, so a request is known by the caller, by a random name that the
 * client got with the response to `initialize`, and by its id. The name identifies nothing else: there
 * is no session.
 */
function keyOf({ key, caller, headers }: KeyedCall, id: string | number): string | undefined {
  const session = headers['mcp-session-id'];
  if (typeof session !== 'string' || !SESSION.test(session)) return undefined;
  return JSON.stringify([key.app?.grantId ?? key.pairId, caller.userEmail ?? null, session, id]);
}

/** The name for a new client. */
export const newClientName = (): string => randomUUID();

export function createOpenRequests(): OpenRequests {
  const open = new Map<string, AbortController>();
  return {
    start: (call, message) => {
      const ending = new AbortController();
      const parsed = request.safeParse(message);
      const name = parsed.success ? keyOf(call, parsed.data.id) : undefined;
      if (name === undefined || open.has(name)) return { signal: ending.signal, end: () => undefined };
      open.set(name, ending);
      return { signal: ending.signal, end: () => void open.delete(name) };
    },
    cancel: (call, message) => {
      const parsed = cancelled.safeParse(message);
      const name = parsed.success ? keyOf(call, parsed.data.params.requestId) : undefined;
      if (name !== undefined) open.get(name)?.abort();
    },
  };
}
