import type { QueryShape, SourceDocument } from '@lectern/llm';
import type { Reach } from '#turn/reach';
import { SHAPE_PLANS } from '#turn/shape-plan';
import type { TurnServices } from '#turn/turn-services';

/** Characters of a query that the search service takes. */
const MAX_QUERY = 2_000;

/** What the documents say to a question: as much as its shape wants, without passages that repeat another word for word. */
export async function gatherSources(
  services: TurnServices,
  question: string,
  shape: QueryShape,
  reach: Reach,
  signal: AbortSignal,
): Promise<readonly SourceDocument[]> {
  const { documents, passagesPerDocument } = SHAPE_PLANS[shape];
  if (documents === 0 || reach.kind === 'nothing') return [];
  const found = await services.retrieve(
    { question: [...question].slice(0, MAX_QUERY).join(''), collections: reach.ids, documents, passagesPerDocument },
    signal,
  );
  return withoutRepetitions(found);
}

function withoutRepetitions(found: readonly SourceDocument[]): SourceDocument[] {
  const seen = new Set<string>();
  return found.flatMap((document) => {
    const passages = document.passages.filter(({ text }) => !seen.has(text) && seen.add(text));
    return passages.length === 0 ? [] : [{ ...document, passages }];
  });
}
