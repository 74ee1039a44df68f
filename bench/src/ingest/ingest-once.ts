import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Corpus } from '#corpus/corpus';
import { quietFor, untilSettled } from '#eval/settle';
import { ingest } from '#ingest/ingest';
import type { Api } from '#system/api';

const NOTE = 'bench-corpus.json';
const noteSchema = z.object({
  name: z.string(),
  documents: z.number(),
  collection: z.string(),
  passages: z.number(),
});

/** A corpus that can be searched, whichever run indexed it. */
export type KeptCorpus = z.output<typeof noteSchema>;

/**
 * Indexes a corpus and waits until the builtin embedding has learned from it; where a run before has done so in this home, does nothing. Throws
 * where the home holds another corpus.
 */
export async function ingestOnce(
  api: Api,
  corpus: Corpus,
  home: string,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<KeptCorpus> {
  const file = join(home, NOTE);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text !== undefined) {
    const kept = noteSchema.parse(JSON.parse(text));
    if (kept.name !== corpus.name || kept.documents !== corpus.documents.length)
      throw new Error(`${home} holds another corpus: ${kept.documents} documents, ${kept.name}.`);
    say(`${kept.documents} documents are indexed already.`);
    return kept;
  }
  say(`Indexing ${corpus.documents.length} documents…`);
  const { collection, documents, passages } = await ingest(api, corpus, signal);
  await untilSettled(api, collection, corpus.queries, { quietMs: quietFor(documents), signal });
  const note = { name: corpus.name, documents, collection, passages };
  await writeFile(file, JSON.stringify(note));
  return note;
}
