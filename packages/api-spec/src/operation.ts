import type { ErrorCode } from '@lectern/contracts';
import { z } from 'zod';
import type { BodySpec } from '#body';

/** Who can call an operation: anyone, either kind of key, or secret keys only. */
export type Access = 'open' | 'publishable' | 'secret';

export type Method = 'get' | 'post' | 'put' | 'delete';

/** What the requests of an operation count as in usage reports. */
export type UsageKind = 'search' | 'chat' | 'agent_run' | 'other';

/** The `data` of a successful response. */
export interface ResponseSpec {
  readonly data: z.ZodType;
  /** True if `meta` contains the page of a list. */
  readonly paged: boolean;
}

/** The events of a stream. Exactly one terminal event or `error` ends it. */
export interface StreamSpec {
  /** The beginning of the names of its events in the document: `Reply` for `ReplySourcesEvent`. */
  readonly name: string;
  /** The schema of each event's data, by event name. */
  readonly events: Readonly<Record<string, z.ZodType>>;
  readonly terminal: string;
  /**
   * True if the gateway ends the stream as soon as it stops, because the client can send the same
   * request again.
   */
  readonly restartable: boolean;
  /** True if events have ids and `Last-Event-ID` resumes the stream after one of them. */
  readonly resumable?: boolean;
}

/** JSON Lines: one record per line, without an envelope. */
export interface LinesSpec {
  readonly item: z.ZodType;
}

/** Everything that describes an operation, except its implementation. */
export interface OperationSpec {
  /** Unique, for example `createCollection`. */
  readonly id: string;
  readonly method: Method;
  /** With `{name}` for a parameter. */
  readonly path: string;
  readonly access: Access;
  readonly summary: string;
  readonly description: string;
  readonly params: z.ZodObject;
  readonly query: z.ZodObject;
  readonly body: BodySpec;
  /** The status of a success. */
  readonly success: 200 | 201 | 202;
  /** Another success status with the same response. */
  readonly otherSuccess?: { readonly status: 200; readonly description: string };
  /** Omitted for a stream and for lines. */
  readonly response?: ResponseSpec;
  readonly stream?: StreamSpec;
  /** Set for a response with JSON Lines. */
  readonly lines?: LinesSpec;
  /** True if the response contains a secret that is shown only once. */
  readonly returnsSecret?: boolean;
  /** Error codes in addition to those that follow from the access, the parameters and the body. */
  readonly errors?: readonly ErrorCode[];
  /** True if a success can also redirect the browser (302). */
  readonly redirects?: boolean;
  /** Descriptions of headers that only this operation returns. */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /**
   * Set if the operation needs a key with access to all collections. Completes “This API key may
   * not …”.
   */
  readonly fullScopeTo?: string;
  /** True if the path's `id` is a collection that the key must have access to. */
  readonly ofCollection?: true;
  /** The limit per client address of an operation without a key. */
  readonly addressLimit?:
    | 'oauthCallbacks'
    | 'providerSignIns'
    | 'signIns'
    | 'passkeyChallenges'
    | 'accountLinks'
    | 'unknownKeys';
  /**
   * True for an operation without a key that uses the session cookie: pages of other sites may not
   * call it, and it requires `X-Lectern-CSRF: 1`.
   */
  readonly isForOwnPages?: true;
  /** True for an operation on the account of the caller: it needs the session of a person and rejects keys. */
  readonly isForPeople?: true;
  /**
   * True for an operation on one record with an ETag: a GET returns it, a PUT or DELETE can require
   * it (If-Match).
   */
  readonly versioned?: boolean;
  /** `other` if omitted. */
  readonly usage?: UsageKind;
}

/** Declares an operation and preserves the types of its schemas. */
export const operation = <const S extends OperationSpec>(spec: S): S => spec;

/** For an operation without parameters or without a query. */
export const none = z.object({});

/** A response with one record. */
export const one = (data: z.ZodType): ResponseSpec => ({ data, paged: false });

/** A response with one page of a list. */
export const pageOf = (data: z.ZodType): ResponseSpec => ({ data, paged: true });

/** True if the response includes the record's ETag. */
export const hasEtag = ({ versioned, method }: OperationSpec): boolean => versioned === true && method !== 'delete';

/** True if the operation accepts If-Match. */
export const acceptsIfMatch = ({ versioned, method }: OperationSpec): boolean =>
  versioned === true && (method === 'put' || method === 'delete');

/**
 * True if the operation accepts an Idempotency-Key: a POST with a secret key that is not a stream.
 */
export const acceptsIdempotencyKey = ({ method, access, stream, isForPeople }: OperationSpec): boolean =>
  method === 'post' && access === 'secret' && stream === undefined && isForPeople !== true;
