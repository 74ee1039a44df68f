import { type EvalCorpus, readEvalCorpus } from '#eval/eval-corpus';
import { type EvalResult, type ModeResult, rate } from '#eval/eval-result';
import { indexCorpus, removeCollection } from '#eval/index-corpus';
import type { EvalOptions } from '#eval/options';
import { readQuestionCorpus } from '#eval/question-corpus';
import { searchAll } from '#eval/search-all';
import { quietFor, untilSettled } from '#eval/settle';
import { describeEnvironment } from '#probes/environment';
import { type Api, createApi } from '#system/api';
import { startLectern } from '#system/lectern';
import { createTemporaryHome } from '#system/temporary-home';

/** Prints a progress message. */
export type Print = (line: string) => void;

/**
 * Runs an evaluation: indexes the folder into a new collection, runs the queries, calculates
 * metrics and deletes the collection. Without a server, starts a temporary Lectern. Rejects with
 * the signal's reason if it is interrupted.
 */
export async function runEval(options: EvalOptions, print: Print, signal: AbortSignal): Promise<EvalResult> {
  const { data, questions } = options;
  const corpus =
    questions === undefined ? await readEvalCorpus(data, options) : await readQuestionCorpus(data, questions);
  const { takenAt, commit } = await describeEnvironment();
  const evaluated = options.server
    ? await evaluateAt(options.server, corpus, options, print, signal)
    : await evaluateOnOwn(corpus, options, print, signal);
  const documents = corpus.documents.length;
  return { corpus: corpus.name, documents, takenAt: takenAt.toISOString(), commit, ...evaluated };
}

type Evaluated = Pick<EvalResult, 'indexedMs' | 'settled' | 'modes'>;

async function evaluateOnOwn(
  corpus: EvalCorpus,
  options: EvalOptions,
  print: Print,
  signal: AbortSignal,
): Promise<Evaluated> {
  const home = await createTemporaryHome();
  try {
    print('Starting Lectern…');
    const lectern = await startLectern(home.path, signal);
    try {
      return await evaluateAt(lectern, corpus, options, print, signal);
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
  print: Print,
  signal: AbortSignal,
): Promise<Evaluated> {
  const api = createApi(server);
  try {
    print(`Indexing ${documents.length} documents…`);
    const collection = await indexCorpus(api, name, documents, signal);
    try {
      const quietMs = settle === undefined ? quietFor(documents.length) : settle * 1_000;
      if (quietMs > 0) print(`Waiting until results are stable for ${Math.round(quietMs / 1_000)} s…`);
      const settled = await untilSettled(api, collection.id, queries, { quietMs, signal });
      const results: ModeResult[] = [];
      for (const mode of modes) {
        print(`Running ${queries.length} queries, ${mode}…`);
        results.push(rate(mode, await searchAll(api, collection, queries, mode, signal)));
      }
      return { indexedMs: collection.indexedMs, settled, modes: results };
    } finally {
      await removeQuietly(api, collection.id, print);
    }
  } finally {
    api.close();
  }
}

/** A failed cleanup must not lose the measurements. */
async function removeQuietly(api: Api, collection: string, print: Print): Promise<void> {
  try {
    await removeCollection(api, collection);
  } catch (error) {
    print(
      `The collection ${collection} could not be deleted: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
