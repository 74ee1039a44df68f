import { type OpenAiTurn, startOpenAiServer } from '@lectern/testing';
import { readStream } from '#chat/read-stream';
import { createSyntheticCorpus } from '#corpus/synthetic';
import { ingestOnce } from '#ingest/ingest-once';
import { percentile } from '#load/latency';
import { measureMemory } from '#probes/memory';
import { createApi } from '#system/api';
import { type Lectern, startLectern } from '#system/lectern';
import { createTemporaryHome, openKeptHome } from '#system/temporary-home';

const MODEL = 'gpt-4o';
const QUERIES = 100;
/** Replies before the measurement: the code of a new process is still being compiled. */
const WARM_UP = 100;
/**
 * Pieces of each of the concurrent replies, and the model's pause before each: a reply takes 8 s.
 */
const PIECES = 40;
const PAUSE_MS = 200;
/**
 * How often the concurrent streams are read before memory is measured, until the process has grown
 * to its final size.
 */
const GROWING = 4;
/** The text that identifies the first event with content, for Lectern and for the model. */
const CONTENT = { lectern: 'event: content_delta', model: '"content":"w' } as const;

export interface StreamsOptions {
  readonly documents: number;
  /** The number of sequential replies to measure. */
  readonly replies: number;
  /** The number of concurrent streams. */
  readonly streams: number;
  /** A folder that keeps the data for later runs. */
  readonly home?: string | undefined;
}

/** The result. Times are in milliseconds, memory is in bytes of the chat service's process. */
export interface StreamsResult extends StreamsOptions {
  readonly passages: number;
  readonly firstContent: { readonly lectern: number[]; readonly model: number[] };
  readonly longestGapsMs: readonly number[];
  /** The number of streams that reached their terminal event. */
  readonly ended: number;
  readonly memory: { readonly before: number; readonly during: number; readonly after: number };
}

/**
 * Measures the time to first content of Lectern and of the model in turns, then many concurrent
 * streams repeatedly, of which the last run counts.
 */
export async function measureStreams(
  options: StreamsOptions,
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<StreamsResult> {
  const model = await startOpenAiServer({ models: { [MODEL]: {} } });
  const home = await (options.home === undefined ? createTemporaryHome() : openKeptHome(options.home));
  try {
    const lectern = await startLectern(home.path, signal, {
      OPENAI_BASE_URL: `${model.origin}/v1`,
      CHAT_MODEL: MODEL,
      MAX_STREAMS_PER_KEY: '10000',
    });
    try {
      return await measure(lectern, model, home.path, options, print, signal);
    } finally {
      await lectern.stop();
    }
  } finally {
    await home.remove();
    await model.stop();
  }
}

/** Cites its first source, so that no correction is needed. */
const words = (count: number) => `${'word '.repeat(count - 1)}[1].`;
const message = (text: string, pauseMs: number): OpenAiTurn => ({ kind: 'message', text, pieceLength: 5, pauseMs });

async function measure(
  lectern: Lectern,
  model: Awaited<ReturnType<typeof startOpenAiServer>>,
  home: string,
  options: StreamsOptions,
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<StreamsResult> {
  const api = createApi(lectern);
  try {
    const corpus = createSyntheticCorpus({ documents: options.documents, queries: QUERIES });
    const { passages } = await ingestOnce(api, corpus, home, print, signal);

    const ask = (number: number) => {
      const message = `What do we know about ${corpus.queries[number % QUERIES]?.text ?? ''}?`;
      const url = `${lectern.baseUrl}/api/v1/teams/${lectern.teamId}/chat/stream`;
      return readStream(url, { body: { message }, key: lectern.secretKey, marks: CONTENT.lectern, signal });
    };
    const askModel = () => {
      const messages = [{ role: 'user', content: 'What do we know?' }];
      const body = { model: MODEL, stream: true, max_tokens: 100, messages };
      return readStream(`${model.origin}/v1/chat/completions`, { body, marks: CONTENT.model, signal });
    };

    print(`Measuring ${options.replies} replies…`);
    model.play(message(words(PIECES), 0));
    const firstContent = { lectern: [] as number[], model: [] as number[] };
    for (let number = 0; number < WARM_UP + options.replies; number += 1) {
      const modelReply = await askModel();
      const lecternReply = await ask(number);
      if (number < WARM_UP) continue;
      firstContent.model.push(modelReply.firstContentAt - modelReply.askedAt);
      firstContent.lectern.push(lecternReply.firstContentAt - lecternReply.askedAt);
    }

    const chatMemory = async () => {
      const { chat } = await measureMemory({ chat: (await lectern.readPids()).chat ?? 0 });
      return chat?.rssBytes ?? Number.NaN;
    };
    const many = () => Promise.allSettled(Array.from({ length: options.streams }, (_, number) => ask(number)));
    model.play(message(words(PIECES), PAUSE_MS));
    print(`Reading ${options.streams} concurrent streams, ${GROWING + 1} times…`);
    for (let time = 0; time < GROWING; time += 1) await many();
    const before = await chatMemory();
    const reading = many();
    const during = new Promise<number>((resolve, reject) => {
      setTimeout(() => chatMemory().then(resolve, reject), (PIECES * PAUSE_MS) / 2);
    });
    const read = await reading;
    const streams = read.flatMap((stream) => (stream.status === 'fulfilled' ? [stream.value] : []));
    const failure = read.find((stream) => stream.status === 'rejected');
    if (failure !== undefined) print(`The first failed stream: ${String(failure.reason)}`);
    signal.throwIfAborted();
    const memory = { before, during: await during, after: await chatMemory() };
    return {
      ...options,
      passages,
      firstContent,
      longestGapsMs: streams.map(({ longestGapMs }) => longestGapMs),
      ended: streams.filter(({ text }) => text.includes('event: message_end')).length,
      memory,
    };
  } finally {
    api.close();
  }
}

/** Renders the results as lines of text. */
export function describeStreams(result: StreamsResult): string {
  const { firstContent, longestGapsMs, memory } = result;
  const ms = (values: readonly number[], share: number) => `${percentile(values, share).toFixed(1)} ms`;
  const over = percentile(firstContent.lectern, 0.5) - percentile(firstContent.model, 0.5);
  const mib = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`;
  return [
    `${result.passages} passages, ${result.replies} replies: first content p50 ${ms(firstContent.lectern, 0.5)}, p95 ${ms(firstContent.lectern, 0.95)};`,
    `the model's own p50 ${ms(firstContent.model, 0.5)}, p95 ${ms(firstContent.model, 0.95)}; p50 over the model's own ${over.toFixed(1)} ms`,
    `${result.streams} streams at once: ${result.ended} ended whole; longest gap p50 ${ms(longestGapsMs, 0.5)}, worst ${ms(longestGapsMs, 1)} (the model pauses ${PAUSE_MS} ms)`,
    `memory of the chat service: ${mib(memory.before)} before, ${mib(memory.during)} during, ${mib(memory.after)} after`,
  ].join('\n');
}
