import { type EvalCorpus, readEvalCorpus } from '#eval/eval-corpus';
import { type EvalResult, type ModeResult, rate } from '#eval/eval-result';
import { indexCorpus, removeCollection } from '#eval/index-corpus';
import type { EvalOptions } from '#eval/options';
import { searchAll } from '#eval/search-all';
import { quietFor, untilSettled } from '#eval/settle';
import { describeEnvironment } from '#probes/environment';
import { type Api, createApi } from '#system/api';
import { startLectern } from '#system/lectern';
import { createTemporaryHome } from '#system/temporary-home';

/** Tells what is being done. */
export type Say = (line: string) => void;

/**
 * A whole evaluation: indexes the folder into a collection of its own, asks, rates, and removes the collection. Without a server it starts a
 * Lectern that is gone afterwards. Rejects with the signal's reason when it is interrupted.
 */
export async function runEval(options: EvalOptions, say: Say, signal: AbortSignal): Promise<EvalResult> {
  const corpus = await readEvalCorpus(options.data, options);
  const { takenAt, commit } = await describeEnvironment();
  const evaluated = options.server
    ? await evaluateAt(options.server, corpus, options, say, signal)
    : await evaluateOnOwn(corpus, options, say, signal);
  const documents = corpus.documents.length;
  return { corpus: corpus.name, documents, takenAt: takenAt.toISOString(), commit, ...evaluated };
}

type Evaluated = Pick<EvalResult, 'indexedMs' | 'settled' | 'modes'>;

async function evaluateOnOwn(
  corpus: EvalCorpus,
  options: EvalOptions,
  say: Say,
  signal: AbortSignal,
): Promise<Evaluated> {
  const home = await createTemporaryHome();
  try {
    say('Starting Lectern…');
    const lectern = await startLectern(home.path, signal);
    try {
      return await evaluateAt(lectern, corpus, options, say, signal);
    } finally {
      await lectern.stop();
    }
  } finally {
    await home.remove();
  }
}

async function evaluateAt(
  server: NonNullable<EvalOptions['server']>,
  { name, documents, queries }: EvalCorpus,
  { modes, settle }: EvalOptions,
  say: Say,
  signal: AbortSignal,
): Promise<Evaluated> {
  const api = createApi(server);
  try {
    say(`Indexing ${documents.length} documents…`);
    const collection = await indexCorpus(api, name, documents, signal);
    try {
      const quietMs = settle === undefined ? quietFor(documents.length) : settle * 1_000;
      if (quietMs > 0) say(`Waiting until answers stay the same for ${Math.round(quietMs / 1_000)} s…`);
      const settled = await untilSettled(api, collection.id, queries, { quietMs, signal });
      const results: ModeResult[] = [];
      for (const mode of modes) {
        say(`Asking ${queries.length} queries, ${mode}…`);
        results.push(rate(mode, await searchAll(api, collection, queries, mode, signal)));
      }
      return { indexedMs: collection.indexedMs, settled, modes: results };
    } finally {
      await removeQuietly(api, collection.id, say);
    }
  } finally {
    api.close();
  }
}

/** What was measured is worth more than a tidy server. */
async function removeQuietly(api: Api, collection: string, say: Say): Promise<void> {
  try {
    await removeCollection(api, collection);
  } catch (error) {
    say(`The collection ${collection} was left behind: ${error instanceof Error ? error.message : String(error)}`);
  }
}
