import { type Concepts, embedMeanings } from '#emulators/concepts';
import type { Fault } from '#emulators/fault';
import {
  ProviderError,
  type ProviderServer,
  type ReceivedRequest,
  startProviderServer,
} from '#emulators/provider-server';

export interface EmbeddingsServerOptions {
  /** `openai`: input, encoding_format, dimensions. `voyage`: input, input_type, output_dimension. */
  readonly form: 'openai' | 'voyage';
  /** The models, which all return the same vectors. Other models return 404. */
  readonly model: string | readonly string[];
  /** Default 64. */
  readonly dimensions?: number;
  /** Requests need no key if it is not set. */
  readonly apiKey?: string;
  /** The maximum number of texts in a request; default 2,048. */
  readonly maxTexts?: number;
  readonly concepts?: Concepts;
}

/** The fields of each format. Others are rejected. */
const FIELDS = {
  openai: ['model', 'input', 'encoding_format', 'dimensions'],
  voyage: ['model', 'input', 'input_type', 'truncation', 'output_dimension'],
} as const;

/** A strict emulator of `POST /v1/embeddings`. It returns the vectors in reverse order, with their `index`. */
export function startEmbeddingsServer(options: EmbeddingsServerOptions): Promise<ProviderServer> {
  const { dimensions = 64, concepts = [] } = options;
  return startProviderServer(options.apiKey, (request, fault) => {
    const texts = checkedTexts(request, options);
    const { output_dimension, dimensions: requested = output_dimension, encoding_format } = request.body;
    const length =
      (typeof requested === 'number' ? requested : dimensions) - (fault?.kind === 'wrong_dimensions' ? 1 : 0);
    const data = texts.map((text, index) => {
      const vector = withFault(embedMeanings(text, concepts, length), fault);
      const embedding = encoding_format === 'base64' ? toBase64(vector) : vector;
      return { object: 'embedding', index, embedding };
    });
    if (fault?.kind === 'one_missing') data.pop();
    return {
      object: 'list',
      data: data.reverse(),
      model: request.body.model,
      usage: { prompt_tokens: 1, total_tokens: 1 },
    };
  });
}

function checkedTexts({ path, body }: ReceivedRequest, options: EmbeddingsServerOptions): readonly string[] {
  if (path !== '/v1/embeddings') throw new ProviderError(404, `Unknown path ${path}`);
  const served = [options.model].flat();
  if (typeof body.model !== 'string' || !served.includes(body.model))
    throw new ProviderError(404, `The model ${body.model} does not exist`);
  const known: readonly string[] = FIELDS[options.form];
  const unknown = Object.keys(body).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new ProviderError(400, `Unknown field ${unknown}`);
  if (options.form === 'voyage' && body.input_type !== 'query' && body.input_type !== 'document') {
    throw new ProviderError(400, 'input_type must be query or document');
  }
  const { input } = body;
  const isText = (value: unknown) => typeof value === 'string' && value !== '';
  if (!Array.isArray(input) || input.length === 0 || !input.every(isText)) {
    throw new ProviderError(400, 'input must be a list of non-empty texts');
  }
  if (input.length > (options.maxTexts ?? 2_048)) throw new ProviderError(400, 'too many texts');
  return input;
}

function withFault(vector: number[], fault: Fault | undefined): unknown[] {
  return fault?.kind === 'not_a_number' ? [null, ...vector.slice(1)] : vector;
}

function toBase64(vector: readonly unknown[]): string {
  const floats = Float32Array.from(vector, (value) => (typeof value === 'number' ? value : Number.NaN));
  return Buffer.from(floats.buffer).toString('base64');
}
