import type { Connector } from '#connector';
import type { SourceEvent, SourceRef } from '#source';

/** A call that is never cancelled. */
export const call = { signal: new AbortController().signal };

export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const entry of source) all.push(entry);
  return all;
}

export const refsOf = (events: readonly SourceEvent[]): SourceRef[] =>
  events.flatMap((event) => (event.type === 'item' ? [event.ref] : []));

export const idsOf = (events: readonly SourceEvent[]): string[] => refsOf(events).map(({ id }) => id);

/** Collects a listing up to the error that ends it. */
export async function collectUntilError(events: AsyncIterable<SourceEvent>) {
  const reported: SourceEvent[] = [];
  try {
    for await (const event of events) reported.push(event);
  } catch (error) {
    return { reported, error };
  }
  return { reported, error: undefined };
}

/** Returns the sorted titles of a listing. */
export async function titlesOf(connector: Connector): Promise<string[]> {
  return refsOf(await collect(connector.list(call)))
    .map((ref) => ref.title)
    .sort();
}

export async function readBody(body: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await collect(body)).toString('utf8');
}

export async function textOf(connector: Connector, ref: SourceRef): Promise<string> {
  return readBody((await connector.fetch(call, ref)).body);
}
