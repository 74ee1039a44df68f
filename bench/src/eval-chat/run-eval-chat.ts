import { BUILTIN_MODEL_ID } from '@lectern/extractive';
import type { AskedQuestion, RatedReply } from '@lectern/grounding';
import { modelEnvironment } from '@lectern/llm';
import type { CorpusDocument } from '#corpus/corpus';
import type { JudgedQuery } from '#eval/eval-corpus';
import { type EvalCollection, indexCorpus, removeCollection } from '#eval/index-corpus';
import type { Print } from '#eval/run-eval';
import { quietFor, untilSettled } from '#eval/settle';
import { type Alteration, alterDocument } from '#eval-chat/alter-document';
import { type Ask, type ChatAnswer, createAsk } from '#eval-chat/ask-chat';
import type { ChatServer, EvalChatOptions } from '#eval-chat/options';
import { containsAnswer } from '#eval-chat/read-answers';
import { type ChatCorpus, readChatCorpus } from '#eval-chat/read-chat-corpus';
import { splitCorpus } from '#eval-chat/split-corpus';
import type { AlteredQuestion } from '#eval-chat/summarize-altered';
import { createApi } from '#system/api';
import { startLectern } from '#system/lectern';
import { createTemporaryHome } from '#system/temporary-home';

/** The number of concurrent questions. */
const CONCURRENCY = 2;

/** The replies of one suite. */
export type EvalChatRun = { readonly corpus: string } & (
  | { readonly suite: 'answers'; readonly questions: readonly AskedQuestion[] }
  | { readonly suite: 'altered'; readonly questions: readonly AlteredQuestion[] }
);

/** Evaluates a model's replies to the questions of a corpus. Starts a temporary Lectern without a server. */
export async function runEvalChat(options: EvalChatOptions, print: Print, signal: AbortSignal): Promise<EvalChatRun> {
  const corpus = await readChatCorpus(options);
  const evaluate = (server: ChatServer) => evaluateAt(server, corpus, options, print, signal);
  if (options.server) return evaluate(options.server);
  const home = await createTemporaryHome();
  try {
    print('Starting Lectern…');
    const lectern = await startLectern(home.path, signal, providerSettings(options.model, process.env));
    try {
      return await evaluate(lectern);
    } finally {
      await lectern.stop();
    }
  } finally {
    await home.remove();
  }
}

/**
 * Returns the settings that a temporary Lectern needs for a model: none for the builtin one, which
 * must not cost anything, otherwise those of the providers in the environment.
 */
function providerSettings(model: string, env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  if (model === BUILTIN_MODEL_ID) return {};
  const names = Object.keys(modelEnvironment);
  const settings = names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  return { ...Object.fromEntries(settings), CHAT_MODEL: model };
}

/**
 * Puts the documents into two collections, or each into its own if they are few, so that a question
 * can be asked without its answering documents. Deletes the collections afterwards.
 */
async function evaluateAt(
  server: ChatServer,
  corpus: ChatCorpus,
  { model, suite, queries: most }: EvalChatOptions,
  print: Print,
  signal: AbortSignal,
): Promise<EvalChatRun> {
  const { name, documents, queries } = corpus;
  const api = createApi(server);
  const ask = createAsk(api, server.teamId, model);
  const { parts, without } = splitCorpus(documents);
  const collections: EvalCollection[] = [];
  const index = async (part: readonly CorpusDocument[]) => {
    const collection = await indexCorpus(api, `${name} ${collections.length}`, part, signal);
    collections.push(collection);
    return collection;
  };
  try {
    print(`Indexing ${documents.length} documents in ${parts.length} collections…`);
    const all: string[] = [];
    for (const part of parts) all.push((await index(part)).id);
    const corpusId = (id: string) => collections.map(({ corpusIds }) => corpusIds.get(id)).find(Boolean) ?? id;
    const remaining = (query: JudgedQuery) => without(query.judgments.keys())?.flatMap((at) => all[at] ?? []);
    const chosen = spread(queries, most);
    const asked = { corpus, chosen, ask, all, remaining, corpusId, signal };
    const settled = async (questions: number) => {
      const [first] = collections;
      if (first) await untilSettled(api, first.id, queries, { quietMs: quietFor(documents.length), signal });
      print(`Sending ${questions} questions to ${model}…`);
    };
    if (suite === 'answers') {
      await settled(chosen.length);
      return { corpus: name, suite, questions: await askRightAndWrong(asked) };
    }
    const altered = alterQuestions(asked);
    print(`Indexing ${altered.length} altered documents…`);
    const replaced: AlteredSource[] = [];
    for (const one of altered) {
      replaced.push({ ...one, collections: [...one.collections, (await index([one.alteration.document])).id] });
    }
    await settled(replaced.length);
    return { corpus: name, suite, questions: await askAltered(asked, replaced) };
  } finally {
    for (const { id } of collections)
      await removeCollection(api, id).catch(() => print(`The collection ${id} could not be deleted.`));
    api.close();
  }
}

/** The questions of a run, and the collections that they can be asked with. */
interface Asked {
  readonly corpus: ChatCorpus;
  readonly chosen: readonly JudgedQuery[];
  readonly ask: Ask;
  readonly all: readonly string[];
  /** Returns the collections without the answering documents; undefined if there are none. */
  readonly remaining: (query: JudgedQuery) => readonly string[] | undefined;
  readonly corpusId: (id: string) => string;
  readonly signal: AbortSignal;
}

/**
 * Asks each question with all collections, and with those without an answering document: the same
 * question with the right sources and with the closest wrong ones.
 */
async function askRightAndWrong({ corpus, chosen, ask, all, remaining, corpusId, signal }: Asked) {
  const questions: AskedQuestion[] = [];
  await eachOf(chosen, signal, async (query) => {
    const { id, text } = query;
    const answer = await ask(text, all);
    const rest = remaining(query);
    const wrong = rest === undefined ? undefined : ratedReply(await ask(text, rest));
    questions.push({ id, text, right: rate(query, answer, corpus.answers?.get(id), corpusId), wrong });
  });
  return questions;
}

/** A question, its altered document, and the collections to ask it with. */
interface AlteredSource {
  readonly query: JudgedQuery;
  readonly alteration: Alteration;
  readonly collections: readonly string[];
}

/** Alters the answering document of each question that has only one. */
function alterQuestions({ corpus: { documents, answers }, chosen, remaining }: Asked): AlteredSource[] {
  const byId = new Map(documents.map((document) => [document.id, document]));
  return chosen.flatMap((query) => {
    const [id, ...others] = query.judgments.keys();
    const document = id === undefined || others.length > 0 ? undefined : byId.get(id);
    const collections = remaining(query);
    if (document === undefined || collections === undefined) return [];
    return alterDocument(query.text, answers?.get(query.id), document, documents).map((alteration) => ({
      query,
      alteration,
      collections,
    }));
  });
}

async function askAltered({ ask, signal }: Asked, sources: readonly AlteredSource[]): Promise<AlteredQuestion[]> {
  const questions: AlteredQuestion[] = [];
  await eachOf(sources, signal, async ({ query, alteration: { kind, before, after }, collections }) => {
    const reply = ratedReply(await ask(query.text, collections));
    questions.push({ id: query.id, text: query.text, kind, before, after, reply });
  });
  return questions;
}

/** Runs a function for each item, a few at a time. */
async function eachOf<T>(items: readonly T[], signal: AbortSignal, run: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const worker = async () => {
    for (const item of waiting) {
      signal.throwIfAborted();
      await run(item);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

const ratedReply = ({ score, label, form }: ChatAnswer): RatedReply => ({ score, label, form });

function rate(
  { judgments }: JudgedQuery,
  answer: ChatAnswer,
  answers: readonly string[] | undefined,
  corpusId: (id: string) => string,
): AskedQuestion['right'] {
  const { content, sources } = answer;
  return {
    ...ratedReply(answer),
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
