import { createHash } from 'node:crypto';
import { canonicalJson } from '@lectern/service-kit';
import type { Context } from '#context';
import type { Body } from '#http/body/body';
import type { RequestBody } from '#http/body/request-body';

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
