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
/** Load in the warm-up, as a multiple of the steady one: caches and compiled code are to reach what they come to. */
const WARM_UP_FACTOR = 3;
/** Between two rest points; a short soak has at least four of them. */
const ROUND_MS = 2.5 * MINUTE_MS;
const FEWEST_ROUNDS = 4;

export interface SoakOptions {
  readonly documents: number;
  readonly warmUpMinutes: number;
  readonly minutes: number;
}

/** What a soak showed. */
export interface SoakResult extends SoakOptions {
  readonly environment: Environment;
  readonly warmUpFactor: number;
  readonly rates: readonly Pick<SteadyWork, 'name' | 'perSecond'>[];
  /** `performance.now()` at which the steady load began. */
  readonly begun: number;
  readonly warmUp: readonly Done[];
  readonly done: readonly Done[];
  /** Of the warm-up, and then of the soak: the first when the warm-up ended. */
  readonly restsOfWarmUp: readonly RestPoint[];
  readonly rests: readonly RestPoint[];
}

/** Tells what is being done. */
type Say = (line: string) => void;

/**
 * Starts a Lectern of its own, warms it up, and puts a steady load on. Nothing is left behind. `onRound` is told what there is after each round of the soak: an hour's
 * figures are not to be lost with its last minute.
 */
export async function runSoak(
  options: SoakOptions,
  say: Say,
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
  say(`Indexing ${options.documents} documents…`);
  const { collection } = await ingest(api, corpus, signal);
  await untilSettled(api, collection, corpus.queries, { quietMs: quietFor(options.documents), signal });
  const kinds = await createSteadyWork({ api, teamId: lectern.teamId, collection, corpus, source, signal });

  const load = { lectern, kinds, forget: () => model.play(), say, signal };
  say(`Warming up for ${options.warmUpMinutes} minutes…`);
  const warmUp = await runRounds({ ...load, minutes: options.warmUpMinutes, factor: WARM_UP_FACTOR });
  const begun = performance.now();
  const resultOf = (steady: Rounds): SoakResult => ({
    ...options,
    environment,
    minutes: steady.minutes,
    warmUpFactor: WARM_UP_FACTOR,
    rates: kinds.map(({ name, perSecond }) => ({ name, perSecond })),
    begun,
    warmUp: warmUp.done,
    done: steady.done,
    restsOfWarmUp: warmUp.rests,
    rests: [...warmUp.rests.slice(-1), ...steady.rests],
  });
  say(`Soaking for ${options.minutes} minutes…`);
  const onSteady = (soFar: Rounds) => onRound(resultOf(soFar));
  return resultOf(await runRounds({ ...load, minutes: options.minutes, factor: 1, onRound: onSteady }));
}

/** What rounds of load and rest have shown so far. */
interface Rounds {
  /** Of load. */
  readonly minutes: number;
  readonly done: readonly Done[];
  readonly rests: readonly RestPoint[];
}

interface Load {
  readonly lectern: Lectern;
  readonly kinds: readonly SteadyWork[];
  readonly minutes: number;
  readonly factor: number;
  /** Lets go of what the load generator itself has gathered. */
  readonly forget: () => void;
  readonly onRound?: (soFar: Rounds) => Promise<void>;
  readonly say: Say;
  readonly signal: AbortSignal;
}

async function runRounds(asked: Load): Promise<Rounds> {
  const { lectern, kinds, minutes, factor, forget, onRound, say, signal } = asked;
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
    say(
      `${round} of ${rounds}: ${cameDone.length} done, ${failed.length} failed, ${mib} MiB live. ${failed[0]?.failure ?? ''}`,
    );
    await onRound?.({ minutes: (round * durationMs) / MINUTE_MS, done, rests });
  }
  return { minutes, done, rests };
}
