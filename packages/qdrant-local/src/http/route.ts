import type { Catalog } from '../collection/catalog.ts';
import { JsonWriter } from '../json/json-writer.ts';
import type { JsonObject } from '../json/types.ts';

/** A request as handlers see it. */
export interface RequestContext {
  readonly catalog: Catalog;
  /** Values of the path's `{…}` segments, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The body, `{}` when there is none. */
  readonly body: JsonObject;
}

/** What a handler answers: a result in Qdrant's envelope, or plain text. */
export type Reply =
  | { readonly kind: 'result'; readonly result: unknown }
  /** The same, its result being written. */
  | { readonly kind: 'written'; readonly json: JsonWriter }
  | { readonly kind: 'json'; readonly body: unknown }
  | { readonly kind: 'text'; readonly body: string };

/** An entry of the route table. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Segments in braces are parameters. */
  readonly path: string;
  readonly handle: (context: RequestContext) => Reply | Promise<Reply>;
}

/** An answer in Qdrant's envelope. */
export function result(value: unknown): Reply {
  return { kind: 'result', result: value };
}

/** An answer in Qdrant's envelope whose result is written as JSON at once. */
export function written(write: (json: JsonWriter) => void): Reply {
  const json = new JsonWriter();
  json.text('{"result":');
  write(json);
  return { kind: 'written', json };
}

/** A path parameter of the route. */
export function param(context: RequestContext, name: string): string {
  const value = context.params[name];
  if (value === undefined) throw new Error(`the route has no parameter ${name}`);
  return value;
}

/** The collection's name in the path. */
export function collectionName(context: RequestContext): string {
  return param(context, 'name');
}
