import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { removeWithData, startPostgres } from '@lectern/local-engines';
import { applyMigrations, prismaOptions } from '@lectern/service-kit';
import { TEST_INTERNAL_KEYS } from '@lectern/testing';
import { DATABASE_SCHEMA } from '#context';
import { PrismaClient } from '#gen/prisma/client';
import { createKeyPair } from '#keys/pair-store';
import { ensureTeam } from '#keys/team-store';
import { MIGRATIONS_DIR } from '#server';

/**
 * Measures what authentication and limits add to a request. Two gateways share one PostgreSQL, one
 * of them without both. Both get `GET /api/v1/key` in turns, which does nothing else. Run it with
 * `node bench/access.ts`. The exit code is 1 if the median rises by more than 1 ms.
 */
const ROUNDS = 30;
const REQUESTS_PER_ROUND = 200;
const WARM_UP = 500;
const BUDGET_MS = 1;
const SERVE = fileURLToPath(new URL('./serve.ts', import.meta.url));

type Mode = 'with' | 'without';

const print = (line: string) => void process.stdout.write(`${line}\n`);

interface Target {
  /** Sends one request. Returns its duration in milliseconds. */
  send(): Promise<number>;
  /** Returns the microseconds of CPU time used so far. */
  cpuUs(): Promise<number>;
  stop(): Promise<void>;
}

async function startTarget(mode: Mode, databaseUrl: string, teamId: string, key: string): Promise<Target> {
  const env = {
    PATH: process.env.PATH,
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'silent',
    DATABASE_URL: databaseUrl,
    LECTERN_INTERNAL_KEYS: TEST_INTERNAL_KEYS,
  };
  const child = spawn(process.execPath, [SERVE, mode, teamId], {
    env: { ...env, RATE_LIMIT_SECRET_PER_MINUTE: '1000000' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  if (child.stdout === null) throw new Error('The gateway has no output.');
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { port } = JSON.parse(line);
  const agent = new Agent({ keepAlive: true });
  const options = { agent, port, host: '127.0.0.1', path: '/api/v1/key', headers: { 'X-Service-Key': key } };
  const send = async () => {
    const started = performance.now();
    const [response] = await once(request(options).end(), 'response');
    response.resume();
    await once(response, 'end');
    if (response.statusCode !== 200) throw new Error(`Unexpected status ${response.statusCode}.`);
    return performance.now() - started;
  };
  const cpuUs = async () => {
    child.send('cpu');
    const [used] = await once(child, 'message');
    return Number(used);
  };
  const stop = async () => {
    agent.destroy();
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  };
  return { send, cpuUs, stop };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Sends `total` requests, `width` at a time. Returns their durations in milliseconds. */
async function measure(target: Target, total: number, width: number): Promise<number[]> {
  const times: number[] = [];
  const worker = async () => {
    for (let n = 0; n < total / width; n += 1) times.push(await target.send());
  };
  await Promise.all(Array.from({ length: width }, worker));
  return times;
}

/**
 * Measures both in turns, so that other load on the machine affects both. Returns how much access
 * adds to the median in milliseconds.
 */
async function compare(targets: Readonly<Record<Mode, Target>>, width: number): Promise<number> {
  const times: Record<Mode, number[]> = { with: [], without: [] };
  const cpuUs: Record<Mode, number> = { with: 0, without: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const mode of round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
      const before = await targets[mode].cpuUs();
      times[mode].push(...(await measure(targets[mode], REQUESTS_PER_ROUND, width)));
      cpuUs[mode] += (await targets[mode].cpuUs()) - before;
    }
  }
  const added = quantile(times.with, 0.5) - quantile(times.without, 0.5);
  for (const mode of ['with', 'without'] as const) {
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => quantile(times[mode], share).toFixed(3));
    const cpu = Math.round(cpuUs[mode] / times[mode].length);
    print(`${width} concurrent, ${mode}: p50 ${p50} p95 ${p95} p99 ${p99} ms, ${cpu} µs of CPU per request`);
  }
  print(`${width} concurrent: access adds ${added.toFixed(3)} ms at the median`);
  return added;
}

const home = await mkdtemp(join(tmpdir(), 'lectern-bench-'));
const postgres = await startPostgres({ dataDir: join(home, 'postgres') });
try {
  const database = { url: postgres.url, schema: DATABASE_SCHEMA };
  await applyMigrations({ ...database, dir: MIGRATIONS_DIR });
  const db = new PrismaClient(prismaOptions({ ...database, maxConnections: 1 }));
  const { teamId, secretKey } = await createKeyPair(db, await ensureTeam(db, 'Bench'), 'bench');
  await db.$disconnect();
  const start = (mode: Mode) => startTarget(mode, postgres.url, teamId, secretKey);
  const targets = { with: await start('with'), without: await start('without') };
  try {
    for (const target of Object.values(targets)) await measure(target, WARM_UP, 8);
    const added = [await compare(targets, 1), await compare(targets, 16)];
    if ((added[0] ?? 0) > BUDGET_MS) process.exitCode = 1;
  } finally {
    await Promise.all(Object.values(targets).map((target) => target.stop()));
  }
} finally {
  await postgres.stop();
  await removeWithData(home);
}
