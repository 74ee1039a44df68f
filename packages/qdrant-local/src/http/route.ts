import type { Catalog } from '../collection/catalog.ts';
import { JsonWriter } from '../json/json-writer.ts';
import type { JsonObject } from '../json/types.ts';

/** A request for a handler. */
export interface RequestContext {
  readonly catalog: Catalog;
  /** Values of the path's `{…}` segments, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The body; `{}` if there is none. */
  readonly body: JsonObject;
}

/** A handler's response: a result in Qdrant's envelope, other JSON, or plain text. */
export type Reply =
  | { readonly kind: 'result'; readonly result: unknown }
  /** The JSON of the envelope up to the end of the result. */
  | { readonly kind: 'written'; readonly bytes: Buffer }
  | { readonly kind: 'json'; readonly body: unknown }
  | { readonly kind: 'text'; readonly body: string };

/** An entry of the route table. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Segments in braces are parameters. */
  readonly path: string;
  readonly handle: (context: RequestContext) => Reply | Promise<Reply>;
}

/** Creates a response in Qdrant's envelope. */
export function result(value: unknown): Reply {
  return { kind: 'result', result: value };
}

// Every response is written synchronously, so all of them share one buffer.
const resultWriter = new JsonWriter();

/**
 * Creates a response in Qdrant's envelope whose result `write` writes as JSON. `write` must be
 * synchronous.
 */
export function written(write: (json: JsonWriter) => void): Reply {
  resultWriter.clear();
  resultWriter.text('{"result":');
  write(resultWriter);
  return { kind: 'written', bytes: resultWriter.take() };
}

/** Returns a path parameter. */
export function param(context: RequestContext, name: string): string {
  const value = context.params[name];
  if (value === undefined) throw new Error(`the route has no parameter ${name}`);
  return value;
}

/** Returns the collection's name in the path. */
export function collectionName(context: RequestContext): string {
  return param(context, 'name');
}
