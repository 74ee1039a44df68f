import { comparisonSides, type QueryShape, type SourceDocument } from '@lectern/grounding';
import { headAndTail } from '@lectern/text';
import { completeSections } from '#sources/complete-sections';
import { mergeDocuments } from '#sources/merge-documents';
import { namedDocuments } from '#sources/named-documents';
import { readWhole } from '#sources/read-whole';
import type { SearchScope } from '#sources/search-scope';
import { SHAPE_PLANS } from '#sources/shape-plan';
import type { TurnServices } from '#turn/turn-services';

/** The maximum total length of documents that are read completely, in UTF-16 code units. */
const MAX_WHOLE = 120_000;
/**
 * The same for documents that the question names: beyond any context window, so that only the
 * budget limits them.
 */
const MAX_NAMED = 4_000_000;

/**
 * Returns the sources for a question, as planned for its shape (`SHAPE_PLANS`), without duplicates.
 */
export async function gatherSources(
  services: TurnServices,
  question: string,
  shape: QueryShape,
  scope: SearchScope,
  signal: AbortSignal,
): Promise<readonly SourceDocument[]> {
  const { documents, passagesPerDocument, eachSide, wholeDocuments, sectionDocuments } = SHAPE_PLANS[shape];
  if (documents === 0 || scope.kind === 'nothing') return [];
  const sides = eachSide ? (comparisonSides(question) ?? []) : [];
  const lists = await Promise.all(
    [question, ...sides].map((text) =>
      services.retrieve(
        {
          question: headAndTail(text),
          collections: scope.ids,
          documents,
          passagesPerDocument,
        },
        signal,
      ),
    ),
  );
  const found = mergeDocuments(lists);
  if (wholeDocuments === 0) return completeSections(services, question, found, sectionDocuments, signal);
  const named = namedDocuments(question, found);
  // A summary of a named document needs that document completely, and no other.
  if (named.length > 0) return readWhole(services, named, { documents: wholeDocuments, characters: MAX_NAMED }, signal);
  return readWhole(services, found, { documents: wholeDocuments, characters: MAX_WHOLE }, signal);
}
