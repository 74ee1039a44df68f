import type { DenseEncoder, EmbedOptions } from '#dense/dense-encoder';

/** Any text; it is encoded for its vector's length alone. */
const SAMPLE = 'dimensions';

/** The length of an encoder's vectors; asks its provider once where nobody has said. Rejects as the encoder does. */
export async function dimensionsOf(encoder: DenseEncoder, options: EmbedOptions = {}): Promise<number> {
  return encoder.dimensions ?? (await encoder.embedQuery(SAMPLE, options)).length;
}
