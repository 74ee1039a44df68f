import type { JudgedQuery } from '#eval/eval-corpus';
import { type EvalCollection, indexCorpus, removeCollection } from '#eval/index-corpus';
import type { Say } from '#eval/run-eval';
import { quietFor, untilSettled } from '#eval/settle';
import { askChat, type ChatAnswer } from '#eval-chat/ask-chat';
import type { AskedQuestion } from '#eval-chat/eval-chat-result';
import type { ChatServer, EvalChatOptions } from '#eval-chat/options';
import { holdsAnswer } from '#eval-chat/read-answers';
import { type ChatCorpus, readChatCorpus } from '#eval-chat/read-chat-corpus';
import { splitCorpus } from '#eval-chat/split-corpus';
import { createApi } from '#system/api';
import { startLectern } from '#system/lectern';
import { createTemporaryHome } from '#system/temporary-home';

/** Questions on their way at the same time. */
const CONCURRENCY = 2;

/**
 * Asks chat about a corpus. Its documents go into two collections, or each into one of its own where they are few; each question is asked of all, and of
 * those without a document that answers it: the same question from the right sources and from the closest wrong ones. The collections are
 * removed in the end.
 */
export async function runEvalChat(
  options: EvalChatOptions,
  say: Say,
  signal: AbortSignal,
): Promise<{ readonly corpus: string; readonly asked: readonly AskedQuestion[] }> {
  const corpus = await readChatCorpus(options);
  const ask = (server: ChatServer) => askAll(server, corpus, options.queries, say, signal);
  if (options.server) return { corpus: corpus.name, asked: await ask(options.server) };
  const home = await createTemporaryHome();
  try {
    say('Starting Lectern…');
    const lectern = await startLectern(home.path, signal);
    try {
      return { corpus: corpus.name, asked: await ask(lectern) };
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
  say: Say,
  signal: AbortSignal,
): Promise<AskedQuestion[]> {
  const api = createApi(server);
  const { parts, without } = splitCorpus(documents);
  const collections: EvalCollection[] = [];
  try {
    say(`Indexing ${documents.length} documents in ${parts.length} collections…`);
    for (const [at, part] of parts.entries()) {
      collections.push(await indexCorpus(api, `${name} ${at}`, part, signal));
    }
    const [first] = collections;
    if (first) await untilSettled(api, first.id, queries, { quietMs: quietFor(documents.length), signal });
    const chosen = spread(queries, most);
    say(`Asking ${chosen.length} questions…`);
    const all = collections.map(({ id }) => id);
    const corpusId = (id: string) => collections.map(({ corpusIds }) => corpusIds.get(id)).find(Boolean) ?? id;
    const asked: AskedQuestion[] = [];
    const waiting = chosen.values();
    const worker = async () => {
      for (const query of waiting) {
        signal.throwIfAborted();
        const right = await askChat(api, server.teamId, query.text, all);
        const left = without(query.judgements.keys())?.flatMap((at) => all[at] ?? []);
        const wrong = left === undefined ? undefined : await askChat(api, server.teamId, query.text, left);
        asked.push({
          id: query.id,
          text: query.text,
          right: rate(query, right, answers?.get(query.id), corpusId),
          wrong,
        });
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    return asked;
  } finally {
    for (const { id } of collections)
      await removeCollection(api, id).catch(() => say(`The collection ${id} was left behind.`));
    api.close();
  }
}

function rate(
  { judgements }: JudgedQuery,
  { content, sources, score, label }: ChatAnswer,
  answers: readonly string[] | undefined,
  corpusId: (id: string) => string,
): AskedQuestion['right'] {
  return {
    score,
    label,
    citesRight: sources.some(({ id }) => judgements.has(corpusId(id))),
    excerptHolds: answers && sources.some(({ excerpt }) => holdsAnswer(excerpt, answers)),
    replyHolds: answers && holdsAnswer(content, answers),
  };
}

/** So many of them, evenly over all. */
function spread<T>(all: readonly T[], most: number): T[] {
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(most, all.length) }, (_, at) => all[Math.floor(at * step)]).filter(
    (one) => one !== undefined,
  );
}
