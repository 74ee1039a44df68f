import { createHash } from 'node:crypto';
import { splitHeadings } from '@lectern/text';
import type { Context } from '#context';
import { embeddedText } from '#indexing/embedded-text';
import type { EncodePassages } from '#spaces/passage-encoder';

interface IndexedDocument {
  readonly team: string;
  readonly document: string;
  readonly model: string;
}

/**
 * Reuses the stored vectors of passages with unchanged text if encoding is costly: those of the
 * document's previous version and those of an interrupted indexing of this version. A vector
 * depends only on its text.
 */
export async function reuseVectors(
  context: Context,
  { team, document, model }: IndexedDocument,
  encode: EncodePassages,
  signal: AbortSignal,
): Promise<EncodePassages> {
  if (context.denseEncoder(model).isCostly !== true) return encode;
  const stored = new Map<string, string>();
  for await (const page of context.store.scrollPassages(model, { team, document, signal })) {
    for (const { id, title, heading, text } of page) {
      stored.set(hashOf(embeddedText(title, splitHeadings(heading), text)), id);
    }
  }
  if (stored.size === 0) return encode;

  return async (passages, signal) => {
    const ids = passages.map(({ text }) => stored.get(hashOf(text)));
    const known = await context.store.readVectors(model, {
      team,
      ids: [...new Set(ids.filter((id) => id !== undefined))],
      signal,
    });
    const vectorAt = (at: number) => known.get(ids[at] ?? '');
    const missing = passages.filter((_, at) => vectorAt(at) === undefined);
    const { vectors } = missing.length === 0 ? { vectors: [] } : await encode(missing, signal);
    const encoded = vectors.values();
    // Costly models have a single space without a name.
    return { space: undefined, vectors: passages.flatMap((_, at) => vectorAt(at) ?? encoded.next().value ?? []) };
  };
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64');
