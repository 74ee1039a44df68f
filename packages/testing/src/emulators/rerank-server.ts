import { type Concepts, meaningOverlap } from '#emulators/concepts';
import {
  ProviderError,
  type ProviderServer,
  type ReceivedRequest,
  startProviderServer,
} from '#emulators/provider-server';

export type RerankForm = 'cohere' | 'jina' | 'tei' | 'voyage';

export interface RerankServerOptions {
  readonly form: RerankForm;
  readonly apiKey?: string;
  readonly concepts?: Concepts;
}

/** The path and fields of each format. */
const FORMS = {
  cohere: { path: '/v2/rerank', fields: ['model', 'query', 'documents', 'top_n'] },
  jina: { path: '/v1/rerank', fields: ['model', 'query', 'documents', 'top_n', 'return_documents'] },
  tei: { path: '/rerank', fields: ['query', 'texts', 'raw_scores', 'return_text', 'truncate'] },
  voyage: { path: '/v1/rerank', fields: ['model', 'query', 'documents', 'top_k', 'return_documents', 'truncation'] },
} as const;

/** A strict emulator of one format of `/rerank`. Returns the most similar texts first. */
export function startRerankServer(options: RerankServerOptions): Promise<ProviderServer> {
  const { form, concepts = [] } = options;
  return startProviderServer(options.apiKey, (request, fault) => {
    const { query, texts } = checked(request, form);
    const scored = texts
      .map((text, index) => ({ index, score: meaningOverlap(query, text, concepts) }))
      .sort((a, b) => b.score - a.score);
    if (fault?.kind === 'one_missing') scored.pop();
    if (fault?.kind === 'not_a_number') return [{ index: 0, score: 'high' }];
    if (form === 'tei') return scored;
    const results = scored.map(({ index, score }) => ({ index, relevance_score: score }));
    return form === 'voyage' ? { object: 'list', data: results } : { id: 'rerank', results };
  });
}

function checked({ path, body }: ReceivedRequest, form: RerankForm): { query: string; texts: readonly string[] } {
  if (path !== FORMS[form].path) throw new ProviderError(404, `Unknown path ${path}`);
  const known: readonly string[] = FORMS[form].fields;
  const unknown = Object.keys(body).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new ProviderError(400, `Unknown field ${unknown}`);
  if (form !== 'tei' && typeof body.model !== 'string') throw new ProviderError(400, 'model is required');
  const texts = form === 'tei' ? body.texts : body.documents;
  const isText = (value: unknown) => typeof value === 'string';
  if (typeof body.query !== 'string') throw new ProviderError(400, 'query must be a string');
  if (!Array.isArray(texts) || texts.length === 0 || !texts.every(isText)) throw new ProviderError(400, 'no documents');
  return { query: body.query, texts };
}
