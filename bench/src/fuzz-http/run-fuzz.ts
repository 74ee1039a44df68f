import { setTimeout as delay } from 'node:timers/promises';
import { type Fixtures, type FuzzRequest, generateRequest } from '#fuzz-http/generate-request';
import type { Probes, Stalls } from '#fuzz-http/read-probes';
import { createSender, type Outcome } from '#fuzz-http/send-request';
import type { Specification } from '#fuzz-http/specification';
import type { Lectern } from '#system/lectern';

/** Requests between two readings of the probes. */
const BATCH = 16;
const CONCURRENT = 6;
/**
 * How often a suspicious request is replayed alone. The shortest stall counts, to exclude other
 * load.
 */
const REPLAYS = 5;
/** How long to wait for work that continues after a response, like indexing. */
const AFTER_MS = 150;
const CONTINUES = /^(create|update|upload|start|execute|complete)/;
const SERVER_ERROR = 500;

export interface FuzzOptions {
  readonly seed: number;
  readonly requests: number;
  /** The only request to send, to replay a finding. */
  readonly only: number | undefined;
  readonly stallMs: number;
}

/** A failure caused by a request. */
export interface Finding {
  readonly kind: 'server error' | 'broken connection' | 'stall' | 'restart';
  readonly request: FuzzRequest | undefined;
  readonly detail: string;
}

export interface FuzzResult {
  readonly options: FuzzOptions;
  readonly sent: number;
  readonly replayed: number;
  readonly operations: number;
  /** The number of responses by status. */
  readonly statuses: ReadonlyMap<string, number>;
  readonly findings: readonly Finding[];
  /**
   * The longest turn of each process in any batch. Several requests or other load can have caused
   * it.
   */
  readonly longestMs: ReadonlyMap<string, number>;
}

/** The system under test. */
export interface Target {
  readonly lectern: Pick<Lectern, 'baseUrl' | 'readPids'>;
  readonly specification: Specification;
  readonly fixtures: Fixtures;
  readonly probes: Probes;
}

/** Sends generated requests to a system and reports failures. */
export async function runFuzz(
  { lectern, specification, fixtures, probes }: Target,
  options: FuzzOptions,
  print: (line: string) => void,
  signal: AbortSignal,
): Promise<FuzzResult> {
  const { seed, requests, only, stallMs } = options;
  const sender = createSender(lectern.baseUrl);
  const statuses = new Map<string, number>();
  const longestMs = new Map<string, number>();
  const findings: Finding[] = [];
  let sent = 0;
  let replayed = 0;

  const report = (finding: Finding) => {
    findings.push(finding);
    print(describeFinding(finding));
  };

  const alone = async (request: FuzzRequest): Promise<{ outcome: Outcome; stalls: Stalls }> => {
    await probes.read();
    replayed += 1;
    const outcome = await sender.send(request);
    if (CONTINUES.test(request.operation)) await delay(AFTER_MS);
    return { outcome, stalls: await probes.read() };
  };

  /** Returns the shortest stall of each process over the replays, if all of them were too long. */
  const confirmStall = async (request: FuzzRequest) => {
    let least: Record<string, number> | undefined;
    for (let n = 0; n < REPLAYS; n += 1) {
      const { stalls } = await alone(request);
      const before = least ?? stalls;
      least = Object.fromEntries(
        Object.entries(stalls)
          .map(([name, ms]) => [name, Math.min(ms, before[name] ?? 0)] as const)
          .filter(([, ms]) => ms > stallMs),
      );
      if (Object.keys(least).length === 0) return;
    }
    const detail = Object.entries(least ?? {}).map(([name, ms]) => `${name} ${ms.toFixed(0)} ms`);
    report({ kind: 'stall', request, detail: detail.join(', ') });
  };

  const judge = async (request: FuzzRequest, { status, broken, text }: Outcome) => {
    statuses.set(String(status ?? broken), (statuses.get(String(status ?? broken)) ?? 0) + 1);
    if (status !== undefined && status >= SERVER_ERROR) {
      report({ kind: 'server error', request, detail: `${status} ${text.slice(0, 300)}` });
    } else if (broken !== undefined && status === undefined) {
      // The server might have closed a keep-alive connection at the same time.
      const { outcome } = await alone(request);
      if (outcome.status === undefined) report({ kind: 'broken connection', request, detail: broken });
    }
  };

  const sendTogether = async (batch: readonly FuzzRequest[]) => {
    const waiting = batch.values();
    const outcomes: (readonly [FuzzRequest, Outcome])[] = [];
    const worker = async () => {
      for (const request of waiting) outcomes.push([request, await sender.send(request)]);
    };
    await Promise.all(Array.from({ length: CONCURRENT }, worker));
    return { outcomes, stalls: await probes.read() };
  };

  const runBatch = async (batch: readonly FuzzRequest[]) => {
    const { outcomes, stalls } = await sendTogether(batch);
    sent += batch.length;
    for (const [name, ms] of Object.entries(stalls)) longestMs.set(name, Math.max(longestMs.get(name) ?? 0, ms));
    for (const [request, outcome] of outcomes) await judge(request, outcome);
    if (Object.values(stalls).every((ms) => ms <= stallMs)) return;
    // Usually compilation or garbage collection: replaying the batch does not reproduce it.
    const second = await sendTogether(batch);
    replayed += batch.length;
    if (Object.entries(second.stalls).every(([name, ms]) => Math.min(ms, stalls[name] ?? 0) <= stallMs)) return;
    for (const request of batch) {
      const again = await alone(request);
      if (Object.values(again.stalls).some((ms) => ms > stallMs)) await confirmStall(request);
    }
    await probes.read();
  };

  try {
    const pids = await lectern.readPids();
    const indexes = only === undefined ? Array.from({ length: requests }, (_, at) => at) : [only];
    for (let at = 0; at < indexes.length; at += BATCH) {
      signal.throwIfAborted();
      await runBatch(
        indexes.slice(at, at + BATCH).map((index) => generateRequest(seed, index, specification, fixtures)),
      );
      if (at > 0 && at % (BATCH * 125) === 0) print(`${at} requests, ${findings.length} findings`);
      const now = await lectern.readPids();
      const restarted = Object.keys(pids).filter((name) => now[name] !== pids[name]);
      if (restarted.length === 0) continue;
      report({ kind: 'restart', request: undefined, detail: `${restarted.join(', ')}, after request ${at}` });
      break;
    }
  } finally {
    sender.close();
  }
  return {
    options,
    sent,
    replayed,
    operations: specification.operations.length,
    statuses,
    findings,
    longestMs,
  };
}

const MAX_SHOWN = 400;

/** Renders a finding in one line, with the data to replay it. */
export function describeFinding({ kind, request, detail }: Finding): string {
  if (request === undefined) return `${kind}: ${detail}`;
  const { index, operation, keyKind, method, path, body } = request;
  const shown =
    body === undefined
      ? ''
      : ` body (${body.length} bytes) ${JSON.stringify(body.toString('utf8').slice(0, MAX_SHOWN))}`;
  return `${kind} ${detail} | #${index} ${operation} with key ${keyKind}: ${method} ${path.slice(0, MAX_SHOWN)}${shown}`;
}
