import type { Connector, SourceRef } from '@lectern/connectors';
import type { Context } from '../context.ts';
import { jsonObject } from '../files/json-object.ts';
import { orAborted } from '../leases/hold-lease.ts';
import { isUnreadable } from '../plan/unreadable.ts';

/** Who may read a connector's documents where its source does not say. */
export function configuredPrincipals(config: unknown): readonly string[] {
  const { principals } = jsonObject(config);
  return Array.isArray(principals) ? principals.map(String) : ['public'];
}

/** What the source says of one item after the other; nobody for those that it says nothing of. */
export async function readPrincipals(
  ctx: Context,
  source: Connector,
  refs: readonly SourceRef[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>(refs.map((ref) => [ref.id, []]));
  if (source.permissions === undefined || refs.length === 0) return found;
  try {
    const answers = source.permissions({ signal }, refs)[Symbol.asyncIterator]();
    for (;;) {
      const { done, value } = await orAborted(answers.next(), signal);
      if (done === true) return found;
      if (found.has(value.id)) found.set(value.id, value.principals);
    }
  } catch (err) {
    if (!isUnreadable(err)) throw err;
    if (refs.length > 1) return readOneByOne(ctx, source, refs, signal);
    ctx.log.warn({ err, item: refs[0]?.id }, 'permissions cannot be read, nobody may see the document');
    return found;
  }
}

/** One item that cannot be asked about takes no other with it. */
async function readOneByOne(
  ctx: Context,
  source: Connector,
  refs: readonly SourceRef[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const ref of refs) {
    for (const [id, principals] of await readPrincipals(ctx, source, [ref], signal)) found.set(id, principals);
  }
  return found;
}

/** Who may read the document of an item: whom its source names, else whom the connector's config does. */
export async function principalsOf(
  ctx: Context,
  source: Connector,
  { config, ref }: { readonly config: unknown; readonly ref: SourceRef },
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (source.permissions === undefined) return configuredPrincipals(config);
  return (await readPrincipals(ctx, source, [ref], signal)).get(ref.id) ?? [];
}
