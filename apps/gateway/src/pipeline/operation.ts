import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type Access, acceptsIfMatch, type OperationSpec } from '@lectern/api-spec';
import type { Caller, Logger } from '@lectern/service-kit';
import type { z } from 'zod';
import type { Context } from '#context';
import type { KeyKind } from '#gen/prisma/client';
import type { ApiResponse } from '#http/api-response';
import type { CurrentRecord } from '#http/body/read-record';
import { type Body, type BodyOf, readerOf } from '#http/body/reader';
import type { RequestBody } from '#http/body/request-body';
import { type IfMatch, readIfMatch } from '#http/if-match';
import { parseParams, parseQuery } from '#http/params';
import type { StoredKey } from '#keys/key-store';
import { execute } from '#pipeline/execute';
import type { RequestUsage } from '#usage/request-usage';

/** The client of a request. */
interface Client {
  readonly address: string;
  readonly userAgent: string | undefined;
  /** True if the browser uses TLS. Decides the attributes of the session cookie. */
  readonly isSecure: boolean;
}

/** What a handler knows about a request in addition to its input. */
export interface OpenCall {
  readonly requestId: string;
  /** The `Host` header. */
  readonly host: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly client: Client;
  /** The event after which to resume a stream. */
  readonly lastEventId: string | undefined;
  /** Aborted when the client disconnects or the gateway must end the request. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** When the request arrived, in milliseconds of `performance.now()`. */
  readonly startedAt: number;
  /** What is counted when the request ends. */
  readonly usage: RequestUsage;
}

export interface KeyedCall extends OpenCall {
  readonly caller: Caller;
  readonly kind: KeyKind;
  /** The stored key or session. */
  readonly key: StoredKey;
  /** The API key or the token of the session itself. Do not store or log it. */
  readonly presentedKey: string;
  /** The seed of new ids (`idOf`): the same in each retry of a request with an Idempotency-Key. */
  readonly seed?: string;
  /** The request's If-Match condition. The service that owns the record checks it. */
  readonly ifMatch?: IfMatch | undefined;
}

/** A request before it is parsed. */
export interface RawRequest {
  readonly params: unknown;
  readonly query: unknown;
  readonly message: IncomingMessage;
  readonly body: RequestBody;
}

interface Runnable<A extends Access, C> extends OperationSpec {
  readonly access: A;
  readonly body: Body<unknown>;
  /**
   * Checks whether the caller can still read a stored response of this operation. If omitted, the
   * caller always can.
   */
  readonly canReplay?: (ctx: Context, data: unknown, call: KeyedCall) => Promise<boolean>;
  /** Parses the request and handles it. Throws `AppError`. */
  readonly run: (ctx: Context, request: RawRequest, call: C) => Promise<ApiResponse>;
}

/** An operation of the API: its specification and its implementation. */
export type Operation = OpenOperation | KeyedOperation;
type OpenOperation = Runnable<'open', OpenCall>;
export type KeyedOperation = Runnable<'publishable' | 'secret', KeyedCall>;

type KeyedSpec = OperationSpec & { readonly access: 'publishable' | 'secret' };
type OpenSpec = OperationSpec & { readonly access: 'open' };

/** The parsed input of an operation. */
interface Input<S extends OperationSpec> {
  readonly params: z.output<S['params']>;
  readonly query: z.output<S['query']>;
  readonly body: BodyOf<S['body']>;
}

type Handle<S extends OperationSpec, C> = (ctx: Context, input: Input<S>, call: C) => Promise<ApiResponse>;

interface Options<S extends OperationSpec> {
  /** Reads the record that the body changes. Required for a body of the kind `record`. */
  readonly current?: (ctx: Context, params: z.output<S['params']>, call: KeyedCall) => Promise<CurrentRecord>;
  readonly canReplay?: KeyedOperation['canReplay'];
}

/** Implements an operation that needs a key. */
export function route<S extends KeyedSpec>(
  spec: S,
  handle: Handle<S, KeyedCall>,
  { current, canReplay }: Options<S> = {},
): Operation {
  const reader = readerOf<S['body']>(spec.body);
  const operation = { ...spec, body: { ...spec.body, ...reader }, ...(canReplay === undefined ? {} : { canReplay }) };
  return {
    ...operation,
    run: async (ctx: Context, request: RawRequest, keyed: KeyedCall) => {
      const params = parseParams<S['params']>(spec.params, request.params);
      const query = parseQuery<S['query']>(spec.query, request.query);
      const ifMatch = acceptsIfMatch(spec) ? readIfMatch(request.message.headers) : undefined;
      const call = { ...keyed, ifMatch };
      const readCurrent = current && (async () => ({ ...(await current(ctx, params, call)), ifMatch }));
      const parsed = { params, query, current: readCurrent };
      return execute(ctx, operation, reader, parsed, request, call, (body, seed) =>
        handle(ctx, { params, query, body }, seed === undefined ? call : { ...call, seed }),
      );
    },
  };
}

/** Implements an operation that needs no key. */
export function openRoute<S extends OpenSpec>(spec: S, handle: Handle<S, OpenCall>): Operation {
  const reader = readerOf<S['body']>(spec.body);
  return {
    ...spec,
    body: { ...spec.body, ...reader },
    run: async (ctx: Context, request: RawRequest, call: OpenCall) => {
      const params = parseParams<S['params']>(spec.params, request.params);
      const query = parseQuery<S['query']>(spec.query, request.query);
      const body = await reader.read(request.body.open(), ctx.config);
      return handle(ctx, { params, query, body }, call);
    },
  };
}
