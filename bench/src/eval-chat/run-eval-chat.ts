import type { JudgedQuery } from '#eval/eval-corpus';
import { type EvalCollection, indexCorpus, removeCollection } from '#eval/index-corpus';
import type { Print } from '#eval/run-eval';
import { quietFor, untilSettled } from '#eval/settle';
import { askChat, type ChatAnswer } from '#eval-chat/ask-chat';
import type { AskedQuestion } from '#eval-chat/eval-chat-result';
import type { ChatServer, EvalChatOptions } from '#eval-chat/options';
import { containsAnswer } from '#eval-chat/read-answers';
import { type ChatCorpus, readChatCorpus } from '#eval-chat/read-chat-corpus';
import { splitCorpus } from '#eval-chat/split-corpus';
import { createApi } from '#system/api';
import { startLectern } from '#system/lectern';
import { createTemporaryHome } from '#system/temporary-home';

/** The number of concurrent questions. */
const CONCURRENCY = 2;

/**
 * Evaluates chat on a corpus. Puts its documents into two collections, or each into its own if they
 * are few. Sends each question with all collections, and with those without an answering document:
 * the same question with the right sources and with the closest wrong ones. Deletes the collections
 * afterwards.
 */
export async function runEvalChat(
  options: EvalChatOptions,
  print: Print,
  signal: AbortSignal,
): Promise<{ readonly corpus: string; readonly questions: readonly AskedQuestion[] }> {
  const corpus = await readChatCorpus(options);
  const ask = (server: ChatServer) => askAll(server, corpus, options.queries, print, signal);
  if (options.server) return { corpus: corpus.name, questions: await ask(options.server) };
  const home = await createTemporaryHome();
  try {
    print('Starting Lectern…');
    const lectern = await startLectern(home.path, signal);
    try {
      return { corpus: corpus.name, questions: await ask(lectern) };
    } finally {
      await lectern.stop();
    }
  } finally {
    await home.remove();
  }
}

async function askAll(
  server: ChatServer,
  { name, documents, queries, answers }: ChatCorpus,
  most: number,
  print: Print,
  signal: AbortSignal,
): Promise<AskedQuestion[]> {
  const api = createApi(server);
  const { parts, without } = splitCorpus(documents);
  const collections: EvalCollection[] = [];
  try {
    print(`Indexing ${documents.length} documents in ${parts.length} collections…`);
    for (const [at, part] of parts.entries()) {
      collections.push(await indexCorpus(api, `${name} ${at}`, part, signal));
    }
    const [first] = collections;
    if (first) await untilSettled(api, first.id, queries, { quietMs: quietFor(documents.length), signal });
    const chosen = spread(queries, most);
    print(`Sending ${chosen.length} questions…`);
    const all = collections.map(({ id }) => id);
    const corpusId = (id: string) => collections.map(({ corpusIds }) => corpusIds.get(id)).find(Boolean) ?? id;
    const questions: AskedQuestion[] = [];
    const waiting = chosen.values();
    const worker = async () => {
      for (const query of waiting) {
        signal.throwIfAborted();
        const right = await askChat(api, server.teamId, query.text, all);
        const remaining = without(query.judgments.keys())?.flatMap((at) => all[at] ?? []);
        const wrong = remaining === undefined ? undefined : await askChat(api, server.teamId, query.text, remaining);
        questions.push({
          id: query.id,
          text: query.text,
          right: rate(query, right, answers?.get(query.id), corpusId),
          wrong,
        });
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    return questions;
  } finally {
    for (const { id } of collections)
      await removeCollection(api, id).catch(() => print(`The collection ${id} could not be deleted.`));
    api.close();
  }
}

function rate(
  { judgments }: JudgedQuery,
  { content, sources, score, label }: ChatAnswer,
  answers: readonly string[] | undefined,
  corpusId: (id: string) => string,
): AskedQuestion['right'] {
  return {
    score,
    label,
    citesRight: sources.some(({ id }) => judgments.has(corpusId(id))),
    excerptHolds: answers && sources.some(({ excerpt }) => containsAnswer(excerpt, answers)),
    replyHolds: answers && containsAnswer(content, answers),
  };
}

/** Picks a number of items evenly. */
function spread<T>(all: readonly T[], most: number): T[] {
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(most, all.length) }, (_, at) => all[Math.floor(at * step)]).filter(
    (one) => one !== undefined,
  );
}
