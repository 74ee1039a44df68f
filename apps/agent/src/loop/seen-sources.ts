import type { CitationEvent, SourceDocument, SourcePassage } from '@lectern/grounding';

/** The sources that a run's model has read. */
export interface SeenSources {
  /** Adds the sources of one tool call. */
  add(found: readonly SourceDocument[]): void;
  /** Returns each document once with all its passages, in order of first use. */
  list(): readonly SourceDocument[];
  /** Converts a citation's passage index within one tool call to one within `list()`. */
  place(citation: CitationEvent): CitationEvent;
}

/** Creates an empty collection of sources. Keeps repeated passages once. */
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
      // If a document was read several times, the quote identifies the passage.
      const passage = meant.find(({ text }) => text.includes(quote)) ?? meant[0];
      const at = passage === undefined ? -1 : placeOf(sourceId, passage);
      return at === -1 ? citation : { ...citation, passageIndex: at };
    },
  };
}
