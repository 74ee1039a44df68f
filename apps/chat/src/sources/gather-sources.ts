import { comparisonSides, type QueryShape, type SourceDocument } from '@lectern/llm';
import { mergeDocuments } from '#sources/merge-documents';
import { readWhole } from '#sources/read-whole';
import type { Reach } from '#turn/reach';
import { SHAPE_PLANS } from '#turn/shape-plan';
import type { TurnServices } from '#turn/turn-services';

/** Characters of a query that the search service takes. */
const MAX_QUERY = 2_000;

/** What the documents say to a question, in the way its shape wants it (`SHAPE_PLANS`); nothing is said twice. */
export async function gatherSources(
  services: TurnServices,
  question: string,
  shape: QueryShape,
  reach: Reach,
  signal: AbortSignal,
): Promise<readonly SourceDocument[]> {
  const { documents, passagesPerDocument, eachSide, wholeDocuments } = SHAPE_PLANS[shape];
  if (documents === 0 || reach.kind === 'nothing') return [];
  const sides = eachSide ? (comparisonSides(question) ?? []) : [];
  const lists = await Promise.all(
    [question, ...sides].map((text) =>
      services.retrieve(
        {
          question: [...text].slice(0, MAX_QUERY).join(''),
          collections: reach.ids,
          documents,
          passagesPerDocument,
        },
        signal,
      ),
    ),
  );
  return readWhole(services, mergeDocuments(lists), wholeDocuments, signal);
}
