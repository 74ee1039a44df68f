import type { Connector } from '#connector';
import type { SourceEvent, SourceRef } from '#source';

/** A call that nothing ends. */
export const call = { signal: new AbortController().signal };

export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const entry of source) all.push(entry);
  return all;
}

export const refsOf = (events: readonly SourceEvent[]): SourceRef[] =>
  events.flatMap((event) => (event.type === 'item' ? [event.ref] : []));

/** Titles of a whole listing, sorted. */
export async function titlesOf(connector: Connector): Promise<string[]> {
  return refsOf(await collect(connector.list(call)))
    .map((ref) => ref.title)
    .sort();
}

export async function textOf(connector: Connector, ref: SourceRef): Promise<string> {
  const content = await connector.fetch(call, ref);
  return Buffer.concat(await collect(content.body)).toString();
}
