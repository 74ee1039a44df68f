import { createHash } from 'node:crypto';
import { jsonBody, type OperationSpec, type UsageKind, withoutBody } from '@lectern/api-spec';
import { AppError, canonicalJson, onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import type { Context } from '#context';
import { type ApiResponse, data } from '#http/api-response';
import { readerOf } from '#http/body/reader';
import { publicUrl } from '#http/public-url';
import { parseIdempotencyKey } from '#idempotency/idempotency-key';
import { runOnce } from '#idempotency/run-once';
import { withEndUser } from '#openai/end-user';
import type { DocumentUrl } from '#openai/reply';
import type { KeyedCall, KeyedOperation, RawRequest } from '#pipeline/operation';

type Headers = Readonly<Record<string, string>>;

/** A response with JSON in OpenAI's form: without the envelope of the API. */
const json = (value: unknown, headers: Headers = {}): ApiResponse => ({
  kind: 'bytes',
  status: 200,
  contentType: 'application/json; charset=utf-8',
  bytes: Buffer.from(JSON.stringify(value)),
  headers,
});

/** A value to send as JSON. It is stored for retries with the same Idempotency-Key. */
interface JsonReply {
  readonly kind: 'json';
  readonly value: object;
  readonly source: ReplySource;
}

const replySource = z.object({
  /** The id of the stored message. Its deletion deletes the stored response. */
  id: z.string().optional(),
  /** The documents that the reply is based on: a retry gets it only while its caller can read all of them. */
  documents: z.array(z.string()).readonly(),
});
type ReplySource = z.output<typeof replySource>;
const storedReply = replySource.extend({ value: z.record(z.string(), z.unknown()) });

/** A reply with JSON, and what it depends on. */
export const reply = (value: object, source: ReplySource = { documents: [] }): JsonReply => ({
  kind: 'json',
  value,
  source,
});

interface Definition {
  readonly id: string;
  readonly path: string;
  readonly usage?: UsageKind;
  /** True if it stores nothing. */
  readonly isPure?: true;
}

const params = z.object({ id: z.string().max(300) });

/** Implements an operation that reads or deletes something. */
export function reading(
  { id, path, method = 'get' }: Definition & { readonly method?: 'get' | 'delete' },
  handle: (ctx: Context, id: string, call: KeyedCall) => Promise<object>,
): KeyedOperation {
  return {
    ...base({ id, path }),
    method,
    body: { ...withoutBody, ...readerOf(withoutBody) },
    run: async (ctx, request, call) =>
      json(await handle(ctx, path.includes('{') ? params.parse(request.params).id : '', call)),
  };
}

/** Only the gateway's pipeline reads these: `openai-paths.ts` of the API's specification describes the operations. */
const base = ({ id, path, usage }: Definition) => ({
  id,
  path,
  access: 'secret' as const,
  summary: id,
  description: id,
  params: z.object({}),
  query: z.object({}),
  success: 200 as const,
  ...(usage === undefined ? {} : { usage }),
});

/** An error of the key that interrupted the work replaces the cancellation. */
function interruption(error: unknown, { signal }: KeyedCall): unknown {
  return signal.aborted && signal.reason instanceof AppError ? signal.reason : error;
}

/** True while the caller can read all documents of a stored reply. */
async function canReplay({ clients }: Context, stored: unknown, call: KeyedCall): Promise<boolean> {
  const ids = [...new Set(storedReply.parse(stored).documents)];
  if (ids.length === 0) return true;
  const readable = await clients.documents.filterReadable({ ids }, onBehalfOf(call));
  return ids.every((id) => readable.ids.includes(id));
}

/**
 * Handles a request once per Idempotency-Key. Not for streams, as in the rest of the API: part
 * of a stream may have been received. Not for operations that store nothing: repeating them changes nothing.
 */
async function once(
  ctx: Context,
  { id, path, isPure }: Definition,
  request: RawRequest,
  { body, call }: { readonly body: unknown; readonly call: KeyedCall },
  handle: () => Promise<JsonReply | ApiResponse>,
): Promise<ApiResponse> {
  const idempotencyKey = parseIdempotencyKey(request.message.headers);
  const isStream = z.looseObject({ stream: z.literal(true) }).safeParse(body).success;
  if (idempotencyKey === undefined || isStream || isPure) {
    const response = await handle();
    return response.kind === 'json' ? json(response.value) : response;
  }
  const fingerprint = createHash('sha256').update(canonicalJson(body)).digest();
  const operation = { id, path, method: 'post', canReplay } as const;
  const response = await runOnce(ctx, { operation, params: {}, idempotencyKey, fingerprint, call }, async () => {
    const handled = await handle();
    if (handled.kind !== 'json') throw new TypeError(`${id} returned a response that cannot be stored`);
    return data({ ...handled.source, value: handled.value });
  });
  if (response.kind !== 'data') throw new TypeError(`${id} returned another response than the stored one`);
  return json(storedReply.parse(response.data).value, response.headers);
}

/** Implements an operation with a body, for the end user in its field `user`. */
export function posting<T extends z.ZodType<{ readonly user?: string | null | undefined }>>(
  definition: Definition,
  schema: T,
  handle: (ctx: Context, body: z.output<T>, call: KeyedCall) => Promise<JsonReply | ApiResponse>,
  stream?: OperationSpec['stream'],
): KeyedOperation {
  const spec = jsonBody(schema, 'MAX_JSON_BYTES');
  const reader = readerOf(spec);
  return {
    ...base(definition),
    method: 'post',
    body: { ...spec, ...reader },
    ...(stream === undefined ? {} : { stream }),
    run: async (ctx, request, keyed) => {
      const body = await reader.read(request.body.open(), ctx.config);
      // The client decides how long it sends the body.
      await ctx.keyWatches.requireAccess(keyed);
      const call = await withEndUser(ctx, definition, keyed, body.user);
      try {
        return await once(ctx, definition, request, { body, call }, () => handle(ctx, body, call));
      } catch (error) {
        throw interruption(error, call);
      }
    },
  };
}

/** Returns the URLs of documents that have none of their own: their text in the API. */
export function documentUrls({ config }: Context, { host, client }: KeyedCall): DocumentUrl {
  const { url } = publicUrl(config.PUBLIC_URL, host, client.isSecure);
  return (id) => `${url}/api/v1/documents/${id}/content`;
}
