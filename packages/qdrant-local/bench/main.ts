import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Corpus } from './corpus.ts';
import { Timings } from './measure.ts';
import { createScenarios, type Scenario } from './scenarios.ts';
import { ServerProcess } from './server-process.ts';

const usage = `Usage: npm run bench -w packages/qdrant-local -- [options]

  --points N        number of points (50000)
  --dimensions N    dimensions of the dense vectors (256)
  --words N         words per passage (190)
  --no-grams        omit the 4-grams, which are about three quarters of the sparse values
  --against FOLDER  compare with another copy of this package, in alternating rounds
  --rounds N        rounds per scenario (6)
  --requests N      requests per round (25)
  --only TEXT       run only the scenarios whose names contain TEXT
`;

const batchSize = 100;
const payloadIndexes = {
  team: { type: 'keyword', is_tenant: true },
  ...Object.fromEntries(
    ['collection', 'document', 'source', 'connector', 'author', 'type', 'principals'].map((key) => [key, 'keyword']),
  ),
  updatedAt: 'datetime',
  createdAt: 'datetime',
  version: 'integer',
  chunk: 'integer',
};

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      points: { type: 'string', default: '50000' },
      dimensions: { type: 'string', default: '256' },
      words: { type: 'string', default: '190' },
      'no-grams': { type: 'boolean', default: false },
      against: { type: 'string' },
      rounds: { type: 'string', default: '6' },
      requests: { type: 'string', default: '25' },
      only: { type: 'string', default: '' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  return values;
}

/** A server to measure. */
interface Contestant {
  readonly name: string;
  readonly folder: string;
  readonly dataDir: string;
  server: ServerProcess;
}

async function prepare(server: ServerProcess, dimensions: number): Promise<void> {
  const layout = {
    vectors: { dense: { size: dimensions, distance: 'Cosine' } },
    sparse_vectors: { text: { modifier: 'idf' } },
  };
  await server.send('PUT', '/collections/bench', JSON.stringify(layout));
  for (const [field_name, field_schema] of Object.entries(payloadIndexes))
    await server.send('PUT', '/collections/bench/index?wait=true', JSON.stringify({ field_name, field_schema }));
}

async function load(contestants: readonly Contestant[], corpus: Corpus): Promise<void> {
  const spentMs = new Map<string, number>();
  const cpuBefore = new Map(contestants.map(({ name, server }) => [name, server.cpuMs()]));
  for (const { server } of contestants) await prepare(server, corpus.size.dimensions);
  for (let start = 0; start < corpus.size.points; start += batchSize) {
    const count = Math.min(batchSize, corpus.size.points - start);
    const body = JSON.stringify({ points: Array.from({ length: count }, (_, i) => corpus.point(start + i)) });
    for (const { name, server } of contestants) {
      const sentAt = performance.now();
      await server.send('PUT', '/collections/bench/points?wait=true', body);
      spentMs.set(name, (spentMs.get(name) ?? 0) + performance.now() - sentAt);
    }
  }
  for (const { name, server } of contestants) {
    const perSecond = (corpus.size.points * 1000) / (spentMs.get(name) ?? Number.NaN);
    const cpuMs = (server.cpuMs() - (cpuBefore.get(name) ?? 0)) / corpus.size.points;
    print(`${name}: upsert ${perSecond.toFixed(0)} points/s, ${cpuMs.toFixed(3)} ms CPU time per point`);
    printMemory(name, server, 'after loading');
  }
}

function printMemory(name: string, server: ServerProcess, when: string): void {
  const { now, peak } = server.memoryMiB();
  print(`${name}: ${now.toFixed(0)} MiB ${when} (peak: ${peak.toFixed(0)})`);
}

async function restart(contestant: Contestant): Promise<void> {
  await contestant.server.stop();
  const startedAt = performance.now();
  contestant.server = await ServerProcess.start(contestant.folder, contestant.dataDir);
  const seconds = (performance.now() - startedAt) / 1000;
  const cpu = contestant.server.cpuMs() / 1000;
  print(`${contestant.name}: start ${seconds.toFixed(2)} s, ${cpu.toFixed(2)} s CPU time`);
}

async function measure(
  contestants: readonly Contestant[],
  scenario: Scenario,
  rounds: number,
  requests: number,
  clients: number,
): Promise<void> {
  const timings = contestants.map(() => new Timings());
  for (const { server } of contestants) await new Timings().add(server, scenario, 10, 1);
  for (let round = 0; round < rounds; round++)
    for (const [i, { server }] of contestants.entries()) await timings[i]?.add(server, scenario, requests, clients);
  for (const [i, { name }] of contestants.entries()) {
    const timing = timings[i];
    if (!timing) continue;
    const columns = [
      `p50 ${timing.quantileMs(0.5).toFixed(2)} ms`,
      `p95 ${timing.quantileMs(0.95).toFixed(2)} ms`,
      `CPU ${timing.cpuMsPerRequest.toFixed(2)} ms`,
      ...(clients > 1 ? [`${timing.requestsPerSecond.toFixed(0)}/s`] : []),
    ];
    const what = clients > 1 ? `${scenario.name}, ${clients} clients` : scenario.name;
    print(`${what.padEnd(44)} ${name.padEnd(7)} ${columns.map((column) => column.padStart(18)).join('')}`);
  }
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options.help) return print(usage);
  const corpus = new Corpus({
    points: Number(options.points),
    dimensions: Number(options.dimensions),
    words: Number(options.words),
    grams: !options['no-grams'],
  });
  const folders = { ...(options.against && { before: options.against }), now: join(import.meta.dirname, '..') };
  const base = mkdtempSync(join(tmpdir(), 'qdrant-local-bench-'));
  const contestants: Contestant[] = [];
  try {
    for (const [name, folder] of Object.entries(folders)) {
      const dataDir = join(base, name);
      contestants.push({ name, folder, dataDir, server: await ServerProcess.start(folder, dataDir) });
    }
    await load(contestants, corpus);
    for (const contestant of contestants) await restart(contestant);
    const scenarios = createScenarios(corpus).filter(({ name }) => name.includes(options.only));
    for (const scenario of scenarios)
      await measure(contestants, scenario, Number(options.rounds), Number(options.requests), 1);
    for (const scenario of scenarios.filter(({ name }) => /^(hybrid: batch|search:)/.test(name)))
      await measure(contestants, scenario, Number(options.rounds), Number(options.requests) * 4, 16);
    for (const { name, server } of contestants) printMemory(name, server, 'after a restart and these queries');
  } finally {
    for (const { server } of contestants) await server.stop();
    rmSync(base, { recursive: true, force: true });
  }
}

await main();
