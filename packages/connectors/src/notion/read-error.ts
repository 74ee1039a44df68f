import { z } from 'zod';
import { SourceError } from '../source-error.ts';

const Body = z.object({ code: z.string(), message: z.string().optional() });

const MESSAGES: Readonly<Record<string, readonly [kind: 'auth' | 'forbidden' | 'transient', message: string]>> = {
  unauthorized: ['auth', 'Notion does not accept the authorisation any more. Authorise the connector again.'],
  restricted_resource: ['forbidden', 'The connection may not read this in Notion. Check its capabilities there.'],
  conflict_error: ['transient', 'Notion could not read this while it was being changed.'],
};

/** Notion says that a request makes no sense: an id that cannot be, a cursor that is forgotten, an address that does not exist. */
export class NotionRefusal extends SourceError {
  readonly code: string;

  constructor(code: string, message: string) {
    super('invalid', `Notion refused the request: ${message.slice(0, 300)}`);
    this.code = code;
  }
}

const REFUSALS: ReadonlySet<string> = new Set(['validation_error', 'invalid_request_url', 'invalid_request']);

/** What Notion's own code says beyond the status. https://developers.notion.com/reference/status-codes */
export function readNotionError(answer: { status: number; body: unknown }): SourceError | undefined {
  if (answer.status < 400) return undefined;
  const { code, message = '' } = Body.safeParse(answer.body).data ?? {};
  if (code !== undefined && REFUSALS.has(code)) return new NotionRefusal(code, message);
  const known = code === undefined ? undefined : MESSAGES[code];
  return known === undefined ? undefined : new SourceError(known[0], known[1]);
}
