import type { SourceDocument, SourcePassage } from '@lectern/llm';
import type { TurnServices } from '#turn/turn-services';

/** UTF-16 units of all documents of a turn that are read as a whole; one that would go beyond keeps the passages that were found. */
const MAX_WHOLE = 120_000;

/** Puts the whole text of the first `count` documents in place of the passages found in them, in reading order. */
export async function readWhole(
  services: TurnServices,
  documents: readonly SourceDocument[],
  count: number,
  signal: AbortSignal,
): Promise<readonly SourceDocument[]> {
  const first = documents.slice(0, count);
  if (first.length === 0) return documents;
  const texts = await Promise.all(first.map(({ id }) => services.readDocument(id, signal)));
  let left = MAX_WHOLE;
  const whole: SourceDocument[] = [];
  for (const [at, document] of first.entries()) {
    const text = texts[at];
    if (text === undefined || text.length > left) whole.push(document);
    else {
      left -= text.length;
      whole.push({ ...document, passages: await passagesOf(text, document.title) });
    }
  }
  return [...whole, ...documents.slice(count)];
}

async function passagesOf(text: string, title: string): Promise<SourcePassage[]> {
  // Few turns need it.
  const { chunkText } = await import('@lectern/documents');
  return chunkText(text, { title, overlapTokens: 0 }).map(({ text: passage, start, end, headingPath }) => ({
    text: passage,
    start,
    end,
    ...(headingPath.length === 0 ? {} : { heading: headingPath.join(' > ') }),
  }));
}
