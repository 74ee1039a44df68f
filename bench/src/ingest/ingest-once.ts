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

/** An indexed corpus. */
export type KeptCorpus = z.output<typeof noteSchema>;

/**
 * Indexes a corpus and waits until the builtin embedding was trained on it. Does nothing if an
 * earlier run did so in this home. Throws if the home contains another corpus.
 */
export async function ingestOnce(
  api: Api,
  corpus: Corpus,
  home: string,
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<KeptCorpus> {
  const file = join(home, NOTE);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text !== undefined) {
    const note = noteSchema.parse(JSON.parse(text));
    if (note.name !== corpus.name || note.documents !== corpus.documents.length)
      throw new Error(`${home} contains another corpus: ${note.documents} documents, ${note.name}.`);
    print(`${note.documents} documents are indexed already.`);
    return note;
  }
  print(`Indexing ${corpus.documents.length} documents…`);
  const { collection, documents, passages } = await ingest(api, corpus, signal);
  await untilSettled(api, collection, corpus.queries, { quietMs: quietFor(documents), signal });
  const note = { name: corpus.name, documents, collection, passages };
  await writeFile(file, JSON.stringify(note));
  return note;
}
