import type { EmbedRequest, EmbedResponse } from '@lectern/contracts';
import { invalidRequest } from '@lectern/service-kit';
import { z } from 'zod';

const MAX_INPUTS = 2_048;
const text = z.string().min(1);
const tokens = z.array(z.int());

/** The body of a request for embeddings. Other fields are ignored. */
export const embeddingsBody = z.looseObject({
  model: z.string().min(1).max(300),
  input: z.union(
    [
      text,
      z
        .array(z.union([text, z.int(), tokens]))
        .min(1)
        .max(MAX_INPUTS),
    ],
    {
      error: `must be a text, or a list of 1 to ${MAX_INPUTS} texts`,
    },
  ),
  encoding_format: z.enum(['float', 'base64']).nullish(),
  dimensions: z.int().min(1).max(65_536).nullish(),
  user: z.string().max(1_000).nullish(),
  /** An addition for models that encode questions differently than documents. */
  input_type: z.enum(['query', 'document']).nullish(),
});

export type EmbeddingsBody = z.output<typeof embeddingsBody>;

/** Converts the body. Throws `invalid_request` for tokens, which only the model's own tokenizer could decode. */
export function embedRequest({ model, input, dimensions, input_type: kind }: EmbeddingsBody): EmbedRequest {
  const texts = [input].flat().map((one) => {
    if (typeof one === 'string') return one;
    throw invalidRequest([{ path: 'input', message: 'must be text: tokens are not supported' }]);
  });
  return { model, texts, dimensions: dimensions ?? undefined, queries: kind === 'query' };
}

/** Little-endian 32-bit floats. */
function base64(values: readonly number[]): string {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeFloatLE(value, at * 4);
  return bytes.toString('base64');
}

/** A list of embeddings in OpenAI's form. */
export function embeddingsList({ embeddings, tokens: used }: EmbedResponse, body: EmbeddingsBody) {
  const encode = body.encoding_format === 'base64' ? base64 : (values: readonly number[]) => values;
  return {
    object: 'list',
    data: embeddings.map(({ values }, index) => ({ object: 'embedding', index, embedding: encode(values) })),
    model: body.model,
    usage: { prompt_tokens: used, total_tokens: used },
  };
}
