import { comparisonSides, type QueryShape, type SourceDocument } from '@lectern/grounding';
import { headAndTail } from '@lectern/text';
import { mergeDocuments } from '#sources/merge-documents';
import { namedDocuments } from '#sources/named-documents';
import { readWhole } from '#sources/read-whole';
import type { Reach } from '#turn/reach';
import { SHAPE_PLANS } from '#turn/shape-plan';
import type { TurnServices } from '#turn/turn-services';

/** UTF-16 units of all documents of a turn that are read as a whole because they were found. */
const MAX_WHOLE = 120_000;
/** The same for documents that the question names: beyond the largest window, so that the context's budget alone cuts them. */
const MAX_NAMED = 4_000_000;

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
          question: headAndTail(text),
          collections: reach.ids,
          documents,
          passagesPerDocument,
        },
        signal,
      ),
    ),
  );
  const found = mergeDocuments(lists);
  const named = wholeDocuments > 0 ? namedDocuments(question, found) : [];
  // Who wants one document summed up wants nothing of the others, and all of it.
  if (named.length > 0) return readWhole(services, named, { documents: wholeDocuments, characters: MAX_NAMED }, signal);
  return readWhole(services, found, { documents: wholeDocuments, characters: MAX_WHOLE }, signal);
}
