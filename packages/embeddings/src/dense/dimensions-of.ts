import type { DenseEncoder, EmbedOptions } from '#dense/dense-encoder';

/** Any text: only the length of its vector matters. */
const SAMPLE = 'dimensions';

/**
 * Returns the length of an encoder's vectors. Encodes one text if the length is not known yet, and
 * rejects if that call rejects.
 */
export async function dimensionsOf(encoder: DenseEncoder, options: EmbedOptions = {}): Promise<number> {
  return encoder.dimensions ?? (await encoder.embedQuery(SAMPLE, options)).length;
}
