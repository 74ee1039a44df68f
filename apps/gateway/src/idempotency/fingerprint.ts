import { createHash } from 'node:crypto';
import { canonicalJson } from '@lectern/service-kit';
import type { Context } from '#context';
import type { BodyReader } from '#http/body/reader';
import type { RequestBody } from '#http/body/request-body';

/** SHA-256 of the parsed request. The order of fields and white space do not matter. */
export async function fingerprintOf<B>(
  { config }: Context,
  reader: BodyReader<B>,
  raw: RequestBody,
  input: { readonly query: unknown; readonly body: B },
): Promise<Buffer<ArrayBuffer>> {
  const body =
    reader.fingerprint === undefined ? input.body : (await reader.fingerprint(raw.open(), config)).toString('hex');
  return createHash('sha256')
    .update(canonicalJson({ query: input.query, body: body ?? null }))
    .digest();
}
