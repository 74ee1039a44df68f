import { randomBytes } from 'node:crypto';
import { startS3Server } from '@lectern/testing';
import { createSyntheticCorpus } from '#corpus/synthetic';
import { quietFor, untilSettled } from '#eval/settle';
import { ingest } from '#ingest/ingest';
import { type Done, runSteadily, type SteadyWork } from '#load/open-loop';
import { describeEnvironment, type Environment } from '#probes/environment';
import { MODEL, startModel } from '#soak/model';
import { measureAtRest, type RestPoint } from '#soak/rest-point';
import { createSteadyWork } from '#soak/steady-work';
import { createApi } from '#system/api';
import { type Lectern, startLectern } from '#system/lectern';
import { createTemporaryHome } from '#system/temporary-home';

const QUERIES = 200;
const MINUTE_MS = 60_000;
/**
 * The load of the warm-up, as a multiple of the steady load, so that caches and compiled code reach
 * their final size.
 */
const WARM_UP_FACTOR = 3;
/** The time between two rest points. A short soak has at least four. */
const ROUND_MS = 2.5 * MINUTE_MS;
const FEWEST_ROUNDS = 4;

export interface SoakOptions {
  readonly documents: number;
  readonly warmUpMinutes: number;
  readonly minutes: number;
}

/** The result of a soak test. */
export interface SoakResult extends SoakOptions {
  readonly environment: Environment;
  readonly warmUpFactor: number;
  readonly rates: readonly Pick<SteadyWork, 'name' | 'perSecond'>[];
  /** `performance.now()` at the start of the steady load. */
  readonly startedAt: number;
  readonly warmUp: readonly Done[];
  readonly done: readonly Done[];
  /**
   * Rest points of the warm-up and of the soak. The first of the soak is at the end of the warm-up.
   */
  readonly restsOfWarmUp: readonly RestPoint[];
  readonly rests: readonly RestPoint[];
}

/** Prints a progress message. */
type Print = (line: string) => void;

/**
 * Starts Lectern, warms it up and applies a steady load. Cleans up afterwards. Calls `onRound`
 * after each round, so that the results of an hour are not lost by a late failure.
 */
export async function runSoak(
  options: SoakOptions,
  print: Print,
  onRound: (soFar: SoakResult) => Promise<void>,
  signal: AbortSignal,
): Promise<SoakResult> {
  await using cleanUp = new AsyncDisposableStack();
  const environment = await describeEnvironment();
  const model = await startModel();
  cleanUp.defer(() => model.stop());
  const source = await startS3Server();
  cleanUp.defer(() => source.stop());
  const home = await createTemporaryHome();
  cleanUp.defer(() => home.remove());
  const lectern = await startLectern(home.path, signal, {
    OPENAI_BASE_URL: `${model.origin}/v1`,
    CHAT_MODEL: MODEL,
    EGRESS_ALLOW: '127.0.0.1',
    LECTERN_MASTER_KEYS: `1:${randomBytes(32).toString('base64')}`,
    MAX_STREAMS_PER_KEY: '10000',
  });
  cleanUp.defer(() => lectern.stop());
  const api = createApi(lectern);
  cleanUp.defer(() => api.close());

  const corpus = createSyntheticCorpus({ documents: options.documents, queries: QUERIES });
  print(`Indexing ${options.documents} documents…`);
  const { collection } = await ingest(api, corpus, signal);
  await untilSettled(api, collection, corpus.queries, { quietMs: quietFor(options.documents), signal });
  const kinds = await createSteadyWork({ api, teamId: lectern.teamId, collection, corpus, source, signal });

  const load = { lectern, kinds, forget: () => model.play(), print, signal };
  print(`Warming up for ${options.warmUpMinutes} minutes…`);
  const warmUp = await runRounds({ ...load, minutes: options.warmUpMinutes, factor: WARM_UP_FACTOR });
  const startedAt = performance.now();
  const resultOf = (steady: Rounds): SoakResult => ({
    ...options,
    environment,
    minutes: steady.minutes,
    warmUpFactor: WARM_UP_FACTOR,
    rates: kinds.map(({ name, perSecond }) => ({ name, perSecond })),
    startedAt,
    warmUp: warmUp.done,
    done: steady.done,
    restsOfWarmUp: warmUp.rests,
    rests: [...warmUp.rests.slice(-1), ...steady.rests],
  });
  print(`Soaking for ${options.minutes} minutes…`);
  const onSteady = (soFar: Rounds) => onRound(resultOf(soFar));
  return resultOf(await runRounds({ ...load, minutes: options.minutes, factor: 1, onRound: onSteady }));
}

/** The results of the rounds so far. */
interface Rounds {
  /** The duration of the load. */
  readonly minutes: number;
  readonly done: readonly Done[];
  readonly rests: readonly RestPoint[];
}

interface Load {
  readonly lectern: Lectern;
  readonly kinds: readonly SteadyWork[];
  readonly minutes: number;
  readonly factor: number;
  /** Clears the data that the load generator has collected. */
  readonly forget: () => void;
  readonly onRound?: (soFar: Rounds) => Promise<void>;
  readonly print: Print;
  readonly signal: AbortSignal;
}

async function runRounds(load: Load): Promise<Rounds> {
  const { lectern, kinds, minutes, factor, forget, onRound, print, signal } = load;
  const rounds = Math.max(FEWEST_ROUNDS, Math.round((minutes * MINUTE_MS) / ROUND_MS));
  const durationMs = (minutes * MINUTE_MS) / rounds;
  const done: Done[] = [];
  const rests: RestPoint[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const cameDone = await runSteadily(kinds, { durationMs, factor, signal });
    forget();
    done.push(...cameDone);
    const rest = await measureAtRest(lectern, signal);
    rests.push(rest);
    const failed = cameDone.filter(({ failure }) => failure !== undefined);
    const live = Object.values(rest.live).reduce((sum, bytes) => sum + bytes, 0);
    const mib = (live / 2 ** 20).toFixed(1);
    print(
      `${round} of ${rounds}: ${cameDone.length} done, ${failed.length} failed, ${mib} MiB live. ${failed[0]?.failure ?? ''}`,
    );
    await onRound?.({ minutes: (round * durationMs) / MINUTE_MS, done, rests });
  }
  return { minutes, done, rests };
}
