import type { components, operations } from './gen/api.ts';

/** The schemas of the API by name: `Schemas['Document']`. */
export type Schemas = components['schemas'];

/** The ids of the API's operations. */
export type OperationId = keyof operations;

type Answers<Id extends OperationId> = operations[Id]['responses'];
type ContentOf<Answer> = Answer extends { content: infer Content } ? Content : never;
type Success<Id extends OperationId> = {
  [Status in keyof Answers<Id> & (200 | 201 | 202)]: ContentOf<Answers<Id>[Status]>;
}[keyof Answers<Id> & (200 | 201 | 202)];

type Envelope<Id extends OperationId> = Success<Id> extends { 'application/json': infer Whole } ? Whole : never;

/** The full response of an operation: `data` and `meta`, and the record's ETag if it has one. */
export type Answer<Id extends OperationId> = Envelope<Id> & { readonly etag?: string };

/** What an operation answers. */
export type Data<Id extends OperationId> = Envelope<Id> extends { data: infer Value } ? Value : never;

/** One item of the list that an operation answers. */
export type Item<Id extends OperationId> = Data<Id> extends readonly (infer One)[] ? One : never;

/** One event of the stream that an operation answers; the one that tells of a failure is thrown instead. */
export type EventOf<Id extends OperationId> =
  Success<Id> extends { 'text/event-stream': infer One } ? Exclude<One, { event: 'error' }> : never;

/** The ids of operations that answer JSON. */
export type JsonOperation = {
  [Id in OperationId]: Success<Id> extends { 'application/json': unknown } ? Id : never;
}[OperationId];

/** The ids of operations that answer a list. */
export type ListOperation = {
  [Id in JsonOperation]: Envelope<Id> extends { data: readonly unknown[]; meta: Schemas['PageMeta'] } ? Id : never;
}[JsonOperation];

/** The ids of operations that answer a stream of events. */
export type StreamOperation = {
  [Id in OperationId]: Success<Id> extends { 'text/event-stream': unknown } ? Id : never;
}[OperationId];

type PathOf<Id extends OperationId> = operations[Id]['parameters'] extends { path: infer Path } ? Path : undefined;

/** The query of an operation. */
export type Query<Id extends OperationId> = operations[Id]['parameters'] extends { query?: infer Given }
  ? Exclude<Given, undefined>
  : never;

/** The JSON body of an operation. */
export type Body<Id extends OperationId> =
  Exclude<operations[Id]['requestBody'], undefined> extends {
    content: { 'application/json': infer Given };
  }
    ? Given
    : never;

type NeedsBody<Id extends OperationId> = operations[Id] extends { requestBody: object } ? true : false;

/** What is sent to an operation. */
export type Input<Id extends OperationId> = ([PathOf<Id>] extends [object]
  ? { readonly path: PathOf<Id> }
  : { readonly path?: undefined }) & { readonly query?: Query<Id> } & (NeedsBody<Id> extends true
    ? { readonly body: Body<Id> }
    : { readonly body?: Body<Id> });

/** What may be said of one call. */
export interface CallOptions {
  /** Aborts the call; it then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** The end user for whom a secret key asks, by e-mail address. */
  readonly user?: string;
  /** Makes a POST that creates safe to repeat. Made by the SDK where it is left out. */
  readonly idempotencyKey?: string;
  /**
   * The ETag of the record as you read it (`client.answer`). An update or deletion fails with
   * `precondition_failed` if the record has changed since.
   */
  readonly ifMatch?: string;
  /** Milliseconds for an answer, or for the beginning of a stream; 60,000 by default, 130,000 for a whole reply. */
  readonly timeoutMs?: number;
}
