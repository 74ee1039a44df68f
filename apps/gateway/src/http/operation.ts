import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Caller, ErrorCode, Logger } from '@lectern/service-kit';
import { z } from 'zod';
import type { Context } from '#context';
import type { KeyKind } from '#gen/prisma/client';
import type { Answer } from '#http/answer';
import type { AnswerSchema } from '#http/answer-schema';
import type { Body, CurrentRecord } from '#http/body/body';
import type { RequestBody } from '#http/body/request-body';
import { carryOut } from '#http/carry-out';
import { type IfMatch, readIfMatch } from '#http/if-match';
import { parseParams } from '#http/path-params';
import { parseQuery } from '#http/query';
import type { StoredKey } from '#keys/key-store';
import type { RequestUsage, UsageKind } from '#usage/request-usage';

/** Which callers an operation takes: anyone, either kind of key, or secret keys alone. */
export type Access = 'open' | 'publishable' | 'secret';

export type Method = 'get' | 'post' | 'put' | 'delete';

/** The events of a stream. Exactly one of the terminal ones, or `error`, ends it. */
export interface EventCatalogue {
  /** Each event's name and what its data holds. */
  readonly events: Readonly<Record<string, z.ZodType>>;
  readonly terminal: string;
  /** True where the stream is ended at once when the gateway stops, because its client can simply ask again. */
  readonly resumable: boolean;
  /** True where events have ids, and the same request with one in `Last-Event-ID` goes on after it. */
  readonly continues?: boolean;
}

/** What a handler knows of the request, beside its input. */
export interface OpenCall {
  readonly requestId: string;
  /** The host that the request was sent to, as its sender says. */
  readonly host: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** The event after which the client wants a stream to go on. */
  readonly lastEventId: string | undefined;
  /** Aborted when the client leaves, or the gateway can wait no longer. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** When the request came, by the process' own clock, in milliseconds. */
  readonly startedAt: number;
  /** What the request is counted as when it is over. */
  readonly usage: RequestUsage;
}

export interface KeyedCall extends OpenCall {
  readonly caller: Caller;
  readonly kind: KeyKind;
  readonly key: StoredKey;
  /** The API key itself. Never to be stored or logged. */
  readonly presentedKey: string;
  readonly client: { readonly address: string; readonly userAgent: string | undefined };
  /** What ids are made of (`idOf`): the same in each try of a request that has an Idempotency-Key. */
  readonly seed?: string;
  /** The request's If-Match condition. The service that owns the record checks it. */
  readonly ifMatch?: IfMatch | undefined;
}

/** A request as it came. */
export interface RawRequest {
  readonly params: unknown;
  readonly query: unknown;
  readonly message: IncomingMessage;
  readonly body: RequestBody;
}

/** What is true of an operation, as data. */
export interface Described {
  /** Unique, for example `createCollection`. */
  readonly id: string;
  readonly method: Method;
  /** With `{name}` for a parameter. */
  readonly path: string;
  readonly summary: string;
  /** The status of a success. */
  readonly success: 200 | 201 | 202;
  /** Another status of a success with the same answer, and when it is given. */
  readonly otherSuccess?: { readonly status: 200; readonly description: string };
  /** True where the answer shows a secret that is shown once. */
  readonly answersSecret?: boolean;
  /** What a success answers; not where the answer is a stream. */
  readonly answer?: AnswerSchema;
  /** Codes of errors beyond those that follow from its access, parameters and body. */
  readonly errors?: readonly ErrorCode[];
  /** True where a success may also send the browser on (302). */
  readonly redirects?: boolean;
  /** Headers beyond those of every answer, and what they say. */
  readonly answerHeaders?: Readonly<Record<string, string>>;
  /** What only a key with access to all collections may do; completes “may not …”. */
  readonly fullScopeTo?: string;
  /** True if the path's `id` is a collection that the key must be allowed to access. */
  readonly ofCollection?: true;
  /** For operations without a key: the limit of calls from one client address. */
  readonly addressLimit?: 'oauthCallbacks';
  /**
   * True for an operation on one record with an ETag: a GET returns it, a PUT or DELETE can require
   * it (If-Match).
   */
  readonly versioned?: boolean;
  /** What its requests are counted as; `other` where it is left out. */
  readonly usage?: UsageKind;
  /**
   * Checks whether the caller may still read a stored response of this operation. If omitted, the
   * caller always may.
   */
  readonly mayReplay?: (ctx: Context, data: unknown, call: KeyedCall) => Promise<boolean>;
  /** Only where the answer is a stream. */
  readonly stream?: EventCatalogue;
}

interface Runnable<A extends Access, C> extends Described {
  readonly access: A;
  readonly params: z.ZodObject;
  readonly query: z.ZodObject;
  readonly body: Body<unknown>;
  /** Parses the request, then handles it. Throws `AppError`. */
  readonly run: (ctx: Context, request: RawRequest, call: C) => Promise<Answer>;
}

/** One thing that the API can do: what is true of it as data, and the means to do it. */
export type Operation = OpenOperation | KeyedOperation;
export type OpenOperation = Runnable<'open', OpenCall>;
export type KeyedOperation = Runnable<'publishable' | 'secret', KeyedCall>;

export interface Input<P extends z.ZodObject, Q extends z.ZodObject, B> {
  readonly params: z.output<P>;
  readonly query: z.output<Q>;
  readonly body: B;
}

interface Definition<A extends Access, C, P extends z.ZodObject, Q extends z.ZodObject, B> extends Described {
  readonly access: A;
  readonly params: P;
  readonly query: Q;
  readonly body: Body<B>;
  /** Reads the record that the body changes; only for a `recordBody`. */
  readonly current?: (ctx: Context, params: z.output<P>, call: C) => Promise<CurrentRecord>;
  readonly handle: (ctx: Context, input: Input<P, Q, B>, call: C) => Promise<Answer>;
}

/** True for an operation whose response includes the record's ETag. */
export const answersEtag = ({ versioned, method }: Described): boolean => versioned === true && method !== 'delete';

/** True for an operation that accepts If-Match. */
export const takesIfMatch = ({ versioned, method }: Described): boolean =>
  versioned === true && (method === 'put' || method === 'delete');

/** Defines an operation that needs a key. `publishable`: either kind will do. */
export function defineOperation<P extends z.ZodObject, Q extends z.ZodObject, B>(
  definition: Definition<'publishable' | 'secret', KeyedCall, P, Q, B>,
): Operation {
  const { handle, current, ...described } = definition;
  return {
    ...described,
    run: async (ctx: Context, request: RawRequest, keyed: KeyedCall) => {
      const params = parseParams(described.params, request.params);
      const query = parseQuery(described.query, request.query);
      const ifMatch = takesIfMatch(described) ? readIfMatch(request.message.headers) : undefined;
      const call = { ...keyed, ifMatch };
      const readCurrent = current && (async () => ({ ...(await current(ctx, params, call)), ifMatch }));
      return carryOut(ctx, described, { params, query, current: readCurrent }, request, call, (body: B, seed) =>
        handle(ctx, { params, query, body }, seed === undefined ? call : { ...call, seed }),
      );
    },
  };
}

/** Defines an operation that needs no key. */
export function defineOpenOperation<P extends z.ZodObject, Q extends z.ZodObject, B>(
  definition: Omit<Definition<'open', OpenCall, P, Q, B>, 'access'>,
): Operation {
  const { handle, ...described } = definition;
  return {
    access: 'open',
    ...described,
    run: async (ctx: Context, request: RawRequest, call: OpenCall) => {
      const params = parseParams(described.params, request.params);
      const query = parseQuery(described.query, request.query);
      const body = await described.body.read(request.body.open(), ctx.config);
      return handle(ctx, { params, query, body }, call);
    },
  };
}

/** For an operation without parameters, or without a query. */
export const none = z.object({});
