import { createHash } from 'node:crypto';
import type { Context } from '#context';
import type { Body } from '#http/body/body';
import type { RequestBody } from '#http/body/request-body';

/** JSON with the names of objects in order: the same value is the same text. Dates and the like are written as JSON writes them. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

/** SHA-256 of what a request asks for, by its meaning: neither the order of fields nor white space counts. */
export async function fingerprintOf<B>(
  { config }: Context,
  kind: Body<B>,
  raw: RequestBody,
  input: { readonly query: unknown; readonly body: B },
): Promise<Buffer<ArrayBuffer>> {
  const body =
    kind.fingerprint === undefined ? input.body : (await kind.fingerprint(raw.open(), config)).toString('hex');
  return createHash('sha256')
    .update(canonicalJson({ query: input.query, body: body ?? null }))
    .digest();
}
