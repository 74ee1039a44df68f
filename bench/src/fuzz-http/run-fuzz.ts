import { setTimeout as delay } from 'node:timers/promises';
import { type Fixtures, type FuzzRequest, generateRequest } from '#fuzz-http/generate-request';
import type { Probes, Stalls } from '#fuzz-http/read-probes';
import { createSender, type Outcome, type Sender } from '#fuzz-http/send-request';
import type { Specification } from '#fuzz-http/specification';
import type { Lectern } from '#system/lectern';

/** Requests between two readings of the probes. */
const BATCH = 16;
const CONCURRENT = 6;
/** Times that a suspicious request is sent alone; the shortest stall counts, since machines are busy. */
const REPLAYS = 5;
/** Work that goes on after an answer, such as indexing, shows within this time. */
const AFTER_MS = 150;
const GOES_ON = /^(create|update|upload|start|execute|complete)/;
const SERVER_ERROR = 500;

export interface FuzzOptions {
  readonly seed: number;
  readonly requests: number;
  /** The only request to send, to replay a finding. */
  readonly only: number | undefined;
  readonly stallMs: number;
}

/** What a request did that none may do. */
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
  /** How often each status was answered. */
  readonly statuses: ReadonlyMap<string, number>;
  readonly findings: readonly Finding[];
  /** The longest turn of each process in any batch, which several requests and the machine may have made together. */
  readonly longestMs: ReadonlyMap<string, number>;
}

/** What the fuzzer is run against. */
export interface Target {
  readonly lectern: Pick<Lectern, 'baseUrl' | 'readPids'>;
  readonly specification: Specification;
  readonly fixtures: Fixtures;
  readonly probes: Probes;
}

/** Sends generated requests to a system and reports what they did to it. */
export async function runFuzz(
  { lectern, specification, fixtures, probes }: Target,
  options: FuzzOptions,
  say: (line: string) => void,
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
    say(describeFinding(finding));
  };

  const alone = async (request: FuzzRequest): Promise<{ outcome: Outcome; stalls: Stalls }> => {
    await probes.read();
    replayed += 1;
    const outcome = await sender.send(request);
    if (GOES_ON.test(request.operation)) await delay(AFTER_MS);
    return { outcome, stalls: await probes.read() };
  };

  /** The shortest stall of each process over the replays, where every one of them was too long. */
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
      // A kept connection may have been closed by the server in the same moment.
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
    // Mostly compilation or a collection of garbage: the same requests together do not show it again.
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
      if (at > 0 && at % (BATCH * 125) === 0) say(`${at} requests, ${findings.length} findings`);
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

export type { Sender };

const MAX_SHOWN = 400;

/** A finding in one line, with what is needed to send it again. */
export function describeFinding({ kind, request, detail }: Finding): string {
  if (request === undefined) return `${kind}: ${detail}`;
  const { index, operation, keyKind, method, path, body } = request;
  const shown =
    body === undefined
      ? ''
      : ` body (${body.length} bytes) ${JSON.stringify(body.toString('utf8').slice(0, MAX_SHOWN))}`;
  return `${kind} ${detail} | #${index} ${operation} with key ${keyKind}: ${method} ${path.slice(0, MAX_SHOWN)}${shown}`;
}
