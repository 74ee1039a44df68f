import { z } from 'zod';
import type { Endpoint } from '#endpoint/endpoint';
import { upstream } from '#endpoint/endpoint-failure';
import { toUnitLength } from '#unit-length';

const embeddings = z.object({
  data: z.array(
    z.object({
      index: z.int().nonnegative().optional(),
      // Numbers are checked below, because a schema for each of a million numbers takes seconds.
      embedding: z.union([z.array(z.unknown()), z.base64()]),
    }),
  ),
});

/**
 * Reads the vectors of an `/embeddings` response in the order of the texts, scaled to unit length.
 * @param expected the length of every vector; undefined uses the length of the first
 * @throws AppError `upstream_error` for a wrong number of vectors, a wrong length, or values that
 * are not numbers
 */
export function readVectors(
  endpoint: Endpoint,
  body: unknown,
  count: number,
  expected: number | undefined,
): Float32Array[] {
  const parsed = embeddings.safeParse(body);
  if (!parsed.success)
    throw upstream(endpoint, 'returned an unexpected response instead of embeddings. Check its URL.', parsed.error);
  const { data } = parsed.data;
  if (data.length !== count) throw upstream(endpoint, `returned ${data.length} vectors for ${count} texts.`);
  const vectors: (Float32Array | undefined)[] = Array.from({ length: count });
  for (const [place, { index = place, embedding }] of data.entries()) {
    vectors[index] = typeof embedding === 'string' ? fromBase64(embedding) : fromNumbers(embedding);
  }
  const length = expected ?? vectors[0]?.length;
  return vectors.map((vector) => {
    if (vector === undefined) throw upstream(endpoint, 'returned two vectors for one text and none for another.');
    if (vector.length !== length || length === 0) {
      throw upstream(
        endpoint,
        `returned a vector with ${vector.length} dimensions instead of ${length || 'at least one'}.`,
      );
    }
    if (!vector.every(Number.isFinite)) throw upstream(endpoint, 'returned a vector with values that are not numbers.');
    return toUnitLength(vector);
  });
}

function fromNumbers(values: readonly unknown[]): Float32Array {
  return Float32Array.from(values, (value) => (typeof value === 'number' ? value : Number.NaN));
}

/** Decodes little-endian 32-bit floats in base64, as OpenAI returns them. */
function fromBase64(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  return Float32Array.from({ length: bytes.length >> 2 }, (_, at) => bytes.readFloatLE(at * 4));
}
