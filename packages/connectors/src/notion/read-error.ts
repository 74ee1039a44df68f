import { z } from 'zod';
import { SourceError } from '#source-error';

const Body = z.object({ code: z.string(), message: z.string().optional() });

const MESSAGES: Readonly<Record<string, readonly [kind: 'auth' | 'forbidden' | 'transient', message: string]>> = {
  unauthorized: ['auth', 'Notion no longer accepts the authorization. Authorize the connector again.'],
  restricted_resource: ['forbidden', 'The connection has no access to this in Notion. Check its capabilities there.'],
  conflict_error: ['transient', 'Notion reported a conflict with a concurrent change. Try again later.'],
};

/**
 * Notion rejects the request as invalid: a malformed id, an expired cursor, or an unknown endpoint.
 */
export class NotionRejection extends SourceError {
  readonly code: string;

  constructor(code: string, message: string) {
    super('invalid', `Notion rejected the request: ${message.slice(0, 300)}`);
    this.code = code;
  }
}

const REJECTIONS: ReadonlySet<string> = new Set(['validation_error', 'invalid_request_url', 'invalid_request']);

/** Errors by Notion's error code. https://developers.notion.com/reference/status-codes */
export function readNotionError(response: { status: number; body: unknown }): SourceError | undefined {
  if (response.status < 400) return undefined;
  const { code, message = '' } = Body.safeParse(response.body).data ?? {};
  if (code !== undefined && REJECTIONS.has(code)) return new NotionRejection(code, message);
  const known = code === undefined ? undefined : MESSAGES[code];
  return known === undefined ? undefined : new SourceError(known[0], known[1]);
}
