import type { components, operations } from './gen/api.ts';

/** The schemas of the API by name: `Schemas['Document']`. */
export type Schemas = components['schemas'];

/** The ids of the API's operations. */
export type OperationId = keyof operations;

type Responses<Id extends OperationId> = operations[Id]['responses'];
type ContentOf<Response> = Response extends { content: infer Content } ? Content : never;
type Success<Id extends OperationId> = {
  [Status in keyof Responses<Id> & (200 | 201 | 202)]: ContentOf<Responses<Id>[Status]>;
}[keyof Responses<Id> & (200 | 201 | 202)];

type Envelope<Id extends OperationId> = Success<Id> extends { 'application/json': infer Json } ? Json : never;

/** The full response of an operation: `data` and `meta`, and the record's ETag if it has one. */
export type Answer<Id extends OperationId> = Envelope<Id> & { readonly etag?: string };

/** The `data` of an operation's response. */
export type Data<Id extends OperationId> = Envelope<Id> extends { data: infer Value } ? Value : never;

/** One item of the list that an operation returns. */
export type Item<Id extends OperationId> = Data<Id> extends readonly (infer One)[] ? One : never;

/** One event of a stream. `error` events are thrown instead. */
export type EventOf<Id extends OperationId> =
  Success<Id> extends { 'text/event-stream': infer One } ? Exclude<One, { event: 'error' }> : never;

/** The ids of operations that return JSON. */
export type JsonOperation = {
  [Id in OperationId]: Success<Id> extends { 'application/json': unknown } ? Id : never;
}[OperationId];

/** The ids of operations that return a list. */
export type ListOperation = {
  [Id in JsonOperation]: Envelope<Id> extends { data: readonly unknown[]; meta: Schemas['PageMeta'] } ? Id : never;
}[JsonOperation];

/** The ids of operations that return a stream of events. */
export type StreamOperation = {
  [Id in OperationId]: Success<Id> extends { 'text/event-stream': unknown } ? Id : never;
}[OperationId];

/** The ids of operations that return JSON Lines. */
export type LinesOperation = {
  [Id in OperationId]: Success<Id> extends { 'application/x-ndjson': unknown } ? Id : never;
}[OperationId];

/** One line of a response with JSON Lines. */
export type LineOf<Id extends OperationId> = Success<Id> extends { 'application/x-ndjson': infer One } ? One : never;

type PathOf<Id extends OperationId> = operations[Id]['parameters'] extends { path: infer Path } ? Path : undefined;

/** The query of an operation. */
export type Query<Id extends OperationId> = operations[Id]['parameters'] extends { query?: infer Fields }
  ? Exclude<Fields, undefined>
  : never;

/** The settings of a connector whose type is known only when the program runs. */
interface DynamicSettings {
  type: Schemas['ConnectorType'];
  config?: Record<string, unknown>;
  credentials?: Record<string, unknown>;
}

interface DynamicBodies {
  createConnector: DynamicSettings & { name: string; collection: string };
  testSettings: DynamicSettings;
}

/** The JSON body of an operation. */
export type Body<Id extends OperationId> =
  Exclude<operations[Id]['requestBody'], undefined> extends {
    content: { 'application/json': infer Json };
  }
    ? Json | (Id extends keyof DynamicBodies ? DynamicBodies[Id] : never)
    : never;

type NeedsBody<Id extends OperationId> = operations[Id] extends { requestBody: object } ? true : false;

/** The input of an operation. */
export type Input<Id extends OperationId> = ([PathOf<Id>] extends [object]
  ? { readonly path: PathOf<Id> }
  : { readonly path?: undefined }) & { readonly query?: Query<Id> } & (NeedsBody<Id> extends true
    ? { readonly body: Body<Id> }
    : { readonly body?: Body<Id> });

/** The options of a call. */
export interface CallOptions {
  /** Aborts the call; it then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** The email address of the end user on whose behalf a secret key makes the request. */
  readonly user?: string;
  /** Makes a POST safe to repeat. Generated if omitted. */
  readonly idempotencyKey?: string;
  /**
   * The ETag of the record as you read it (`client.answer`). An update or deletion fails with
   * `precondition_failed` if the record has changed since.
   */
  readonly ifMatch?: string;
  /** Time limit for the response or the start of a stream. Default: 60,000 ms; 130,000 ms for a complete chat reply. */
  readonly timeoutMs?: number;
}
