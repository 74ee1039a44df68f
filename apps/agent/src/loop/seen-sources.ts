import type { CitationEvent, SourceDocument, SourcePassage } from '@lectern/grounding';

/** Everything that a run's model was shown, and where its citations point in it. */
export interface SeenSources {
  /** Adds what one call of a tool found. */
  add(found: readonly SourceDocument[]): void;
  /** Each document once, with all its passages, in order of first sight. */
  list(): readonly SourceDocument[];
  /** A citation whose passage index counts within one sight of the document, as one within `list()`. */
  place(citation: CitationEvent): CitationEvent;
}

/** Gathers sources; a passage that is seen again is kept once. */
export function createSeenSources(): SeenSources {
  const sights: SourceDocument[] = [];
  const documents = new Map<string, { readonly source: SourceDocument; readonly passages: SourcePassage[] }>();
  const placeOf = (id: string, { start, end, text }: SourcePassage): number =>
    documents.get(id)?.passages.findIndex((one) => one.start === start && one.end === end && one.text === text) ?? -1;
  return {
    add(found) {
      sights.push(...found);
      for (const source of found) {
        const known = documents.get(source.id) ?? { source, passages: [] };
        documents.set(source.id, known);
        for (const passage of source.passages) if (placeOf(source.id, passage) === -1) known.passages.push(passage);
      }
    },
    list: () => [...documents.values()].map(({ source, passages }) => ({ ...source, passages })),
    place(citation) {
      const { sourceId, passageIndex, quote } = citation;
      const meant = sights.flatMap(({ id, passages }) =>
        id === sourceId ? passages.slice(passageIndex, passageIndex + 1) : [],
      );
      // Where a document was shown several times, the quote says which sight is meant.
      const passage = meant.find(({ text }) => text.includes(quote)) ?? meant[0];
      const at = passage === undefined ? -1 : placeOf(sourceId, passage);
      return at === -1 ? citation : { ...citation, passageIndex: at };
    },
  };
}
