import type { SourceDocument, SourcePassage } from '@lectern/grounding';
import { joinHeadings } from '@lectern/text';
import type { TurnServices } from '#turn/turn-services';

/**
 * Limits for reading complete documents. A document beyond them keeps the passages that were found.
 */
export interface WholeLimits {
  readonly documents: number;
  /** The total length, in UTF-16 code units. */
  readonly characters: number;
}

/** Replaces the passages of the first documents by their complete text, in reading order. */
export async function readWhole(
  services: TurnServices,
  documents: readonly SourceDocument[],
  limits: WholeLimits,
  signal: AbortSignal,
): Promise<readonly SourceDocument[]> {
  const first = documents.slice(0, limits.documents);
  if (first.length === 0) return documents;
  const texts = await Promise.all(first.map(({ id }) => services.readDocument(id, signal)));
  let remainingCharacters = limits.characters;
  const whole: SourceDocument[] = [];
  for (const [at, document] of first.entries()) {
    const text = texts[at];
    if (text === undefined || text.length > remainingCharacters) whole.push(document);
    else {
      remainingCharacters -= text.length;
      whole.push({ ...document, passages: await passagesOf(text, document.title) });
    }
  }
  return [...whole, ...documents.slice(limits.documents)];
}

async function passagesOf(text: string, title: string): Promise<SourcePassage[]> {
  // Loaded on demand: few turns need it.
  const { chunkText } = await import('@lectern/documents');
  return chunkText(text, { title, overlapTokens: 0 }).map(({ text: passage, start, end, headingPath }) => ({
    text: passage,
    start,
    end,
    ...(headingPath.length === 0 ? {} : { heading: joinHeadings(headingPath) }),
  }));
}
