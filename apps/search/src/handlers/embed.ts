import type { EmbedRequest, EmbedResponse, ListEmbeddingModelsResponse } from '@lectern/contracts';
import type { DenseEncoder } from '@lectern/embeddings';
import { AppError, invalidRequest, type ServiceCall } from '@lectern/service-kit';
import { estimateTokens } from '@lectern/text';
import type { Context } from '#context';

const MAX_TEXTS = 2_048;
const MAX_TEXT = 100_000;
/** Questions are encoded one by one, and searches of other teams use the same provider. */
const PARALLEL_QUERIES = 4;

type Embedder = Pick<Context, 'config' | 'denseEncoder' | 'defaultEncoder'>;

/** Lists the configured model. The built-in ones depend on the documents of a team. */
export const listEmbeddingModels =
  ({ config, defaultEncoder }: Embedder) =>
  async (): Promise<ListEmbeddingModelsResponse> => {
    const provider = config.EMBEDDING_PROVIDER;
    return { models: provider === 'builtin' ? [] : [{ id: defaultEncoder().model, provider }] };
  };

const unknownModel = (id: string, known: string | undefined) =>
  new AppError(
    'not_found',
    known === undefined
      ? 'This installation has no embedding model for the API. Set EMBEDDING_PROVIDER: the built-in model only works inside Lectern, because its vectors depend on the documents and change with them.'
      : `The embedding model ${id.slice(0, 200)} does not exist. Use ${known}.`,
    { details: { resource: 'model', id: id.slice(0, 200) } },
  );

/** The model without the length of its vectors. */
const nameOf = (space: string) => space.replace(/@\d+$/, '');

function encoderOf({ config, denseEncoder, defaultEncoder }: Embedder, { model, dimensions }: EmbedRequest) {
  if (config.EMBEDDING_PROVIDER === 'builtin') throw unknownModel(model, undefined);
  const standard = defaultEncoder();
  const names = [standard.model, nameOf(standard.model), config.EMBEDDING_MODEL];
  if (!names.includes(model)) throw unknownModel(model, standard.model);
  if (dimensions === undefined || dimensions === standard.dimensions) return standard;
  if (config.EMBEDDING_PROVIDER === 'onnx') {
    const length = standard.dimensions ?? config.EMBEDDING_DIMENSIONS;
    if (length !== undefined)
      throw invalidRequest([{ path: 'dimensions', message: `must be ${length} for this model` }]);
  }
  return denseEncoder(`${nameOf(standard.model)}@${dimensions}`);
}

async function embedQueries(encoder: DenseEncoder, texts: readonly string[], signal: AbortSignal) {
  const vectors: Float32Array[] = [];
  for (let at = 0; at < texts.length; at += PARALLEL_QUERIES) {
    const group = texts.slice(at, at + PARALLEL_QUERIES);
    vectors.push(...(await Promise.all(group.map((text) => encoder.embedQuery(text, { signal })))));
  }
  return vectors;
}

/** Encodes texts. */
export const embed =
  (context: Embedder) =>
  async (request: EmbedRequest, { signal }: ServiceCall): Promise<EmbedResponse> => {
    const { texts, queries } = request;
    if (texts.length === 0 || texts.length > MAX_TEXTS) {
      throw invalidRequest([{ path: 'input', message: `must have 1 to ${MAX_TEXTS} texts` }]);
    }
    for (const [at, text] of texts.entries()) {
      const path = texts.length === 1 ? 'input' : `input[${at}]`;
      if (text.trim() === '') throw invalidRequest([{ path, message: 'must not be empty' }]);
      if (text.length > MAX_TEXT) throw invalidRequest([{ path, message: `must have at most ${MAX_TEXT} characters` }]);
    }
    const encoder = encoderOf(context, request);
    const vectors = queries
      ? await embedQueries(encoder, texts, signal)
      : await encoder.embedDocuments(texts, { signal });
    const tokens = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
    return { embeddings: vectors.map((vector) => ({ values: [...vector] })), tokens };
  };
