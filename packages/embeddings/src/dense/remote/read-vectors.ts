import { z } from 'zod';
import { toUnitLength } from '#dense/unit-length';
import type { Endpoint } from '#endpoint/endpoint';
import { upstream } from '#endpoint/endpoint-failure';

const answer = z.object({
  data: z.array(
    z.object({
      index: z.int().nonnegative().optional(),
      // Checked number by number below: a schema over each of a million numbers takes seconds.
      embedding: z.union([z.array(z.unknown()), z.base64()]),
    }),
  ),
});

/**
 * The vectors of an answer of the `/embeddings` form, in the order of the texts, of unit length.
 * @param expected what every vector has to measure; undefined takes the first one's length
 * @throws AppError `upstream_error` for too few or too many vectors, another length, or what is not a number
 */
export function readVectors(
  endpoint: Endpoint,
  body: unknown,
  count: number,
  expected: number | undefined,
): Float32Array[] {
  const parsed = answer.safeParse(body);
  if (!parsed.success) throw upstream(endpoint, 'answered with something else than embeddings.', parsed.error);
  const { data } = parsed.data;
  if (data.length !== count) throw upstream(endpoint, `answered ${count} texts with ${data.length} vectors.`);
  const vectors: (Float32Array | undefined)[] = Array.from({ length: count });
  for (const [place, { index = place, embedding }] of data.entries()) {
    vectors[index] = typeof embedding === 'string' ? fromBase64(embedding) : fromNumbers(embedding);
  }
  const length = expected ?? vectors[0]?.length;
  return vectors.map((vector) => {
    if (vector === undefined) throw upstream(endpoint, 'answered two vectors for one text and none for another.');
    if (vector.length !== length || length === 0) {
      throw upstream(
        endpoint,
        `answered a vector of ${vector.length} dimensions where ${length || 'some'} were expected.`,
      );
    }
    if (!vector.every(Number.isFinite))
      throw upstream(endpoint, 'answered a vector that holds something else than numbers.');
    return toUnitLength(vector);
  });
}

function fromNumbers(values: readonly unknown[]): Float32Array {
  return Float32Array.from(values, (value) => (typeof value === 'number' ? value : Number.NaN));
}

/** Little-endian 32-bit floats, as OpenAI gives them. */
function fromBase64(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  return Float32Array.from({ length: bytes.length >> 2 }, (_, at) => bytes.readFloatLE(at * 4));
}
