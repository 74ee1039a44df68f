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
  /** The same up to the end of the result, as JSON. */
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

/** An answer in Qdrant's envelope. */
export function result(value: unknown): Reply {
  return { kind: 'result', result: value };
}

// Every answer is written at one go, so they can share the room to do it in.
const answerWriter = new JsonWriter();

/** An answer in Qdrant's envelope whose result is written as JSON at once; `write` must not wait for anything. */
export function written(write: (json: JsonWriter) => void): Reply {
  answerWriter.clear();
  answerWriter.text('{"result":');
  write(answerWriter);
  return { kind: 'written', bytes: answerWriter.take() };
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
