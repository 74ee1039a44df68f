import { describe, expect, it } from '@jest/globals';
import type { BenchmarkResult } from '#report/benchmark-result';
import { writeReport } from '#report/write-report';

const load = {
  p50Ms: 8,
  p95Ms: 20,
  p99Ms: 150.4,
  perSecond: 110,
  requests: 1100,
  failures: 0,
  firstFailure: undefined,
};
const MIB = 1024 * 1024;

const result: BenchmarkResult = {
  environment: {
    takenAt: new Date('2026-01-02T03:04:05Z'),
    commit: 'abc1234',
    node: 'v24.0.0',
    platform: 'linux x64',
    cpu: 'A processor',
    cores: 2,
    memoryBytes: 8192 * MIB,
    loadBefore: 0.5,
  },
  corpus: { name: 'synthetic, seed 1', documents: 2000, wordsPerDocument: 301.4, queries: 200 },
  seconds: 10,
  firstStartMs: 8_120,
  fetchedNats: true,
  secondStartMs: 4_050,
  indexing: {
    documents: 2000,
    passages: 5000,
    uploadMs: 4_000,
    indexedMs: 40_000,
    cpuMs: { gateway: 1_000, search: 0 },
  },
  search: {
    measurements: [
      { ...load, target: 'Lectern, end to end', clients: 1, clientMs: 0.5, partsMs: { gateway: 2.5, search: 4 } },
      {
        ...load,
        target: 'vector store alone',
        clients: 1,
        clientMs: 2.25,
        partsMs: { search: 0, chat: 0.001 },
        p50Ms: 4,
        p95Ms: 8,
        perSecond: 220,
      },
    ],
    recall: new Map([
      ['Lectern, end to end', 0.98765],
      ['vector store alone', undefined],
    ]),
    agreement: new Map([
      ['Lectern, end to end', 1],
      ['vector store alone', 0.995],
    ]),
  },
  chat: { ...load, requests: 20 },
  memory: [
    ['at rest', { gateway: { processes: 1, rssBytes: 100 * MIB, pssBytes: 60 * MIB } }],
    ['after searching', { gateway: { processes: 1, rssBytes: 120 * MIB, pssBytes: undefined } }],
  ],
};

const rowOf = (report: string, ...starts: string[]) =>
  report
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .find((cells) => starts.every((start, at) => cells[at + 1] === start))
    ?.slice(1, -1);

describe('writeReport', () => {
  const report = writeReport(result);

  it('shows the CPU time of each part per query and per passage', () => {
    expect(rowOf(report, 'ms')).toEqual([
      'ms',
      'Lectern, end to end, clients: 1',
      'vector store alone, clients: 1',
      'per passage indexed',
    ]);
    expect(rowOf(report, 'gateway', '2.50')).toEqual(['gateway', '2.50', '0.00', '0.20']);
    expect(rowOf(report, 'search')).toEqual(['search', '4.00', '0.00', '0.00']);
    expect(rowOf(report, 'chat')).toBeUndefined();
    expect(rowOf(report, '**sum**', '6.50')).toEqual(['**sum**', '6.50', '0.00', '0.20']);
  });

  it('shows each system and Lectern as a multiple of it', () => {
    expect(rowOf(report, '1', 'Lectern, end to end')).toEqual([
      '1',
      'Lectern, end to end',
      '8.0',
      '20.0',
      '150',
      '110',
      '1100',
      '0.5',
      '0.988',
    ]);
    expect(rowOf(report, '1', 'vector store alone')?.at(-1)).toBe('–');
    expect(rowOf(report, '1', 'ratio to vector store alone')?.slice(2, 6)).toEqual([
      '2.00×',
      '2.50×',
      '1.00×',
      '0.50×',
    ]);
    expect(report).toContain('99.5% of the queries returned the same documents in the same order');
  });

  it('shows the indexing rate and the start times', () => {
    expect(rowOf(report, '2000', '5000')).toEqual(['2000', '5000', '4.0', '40.0', '50.0', '125']);
    expect(rowOf(report, 'first, with nats-server fetched')).toEqual(['first, with nats-server fetched', '8.1']);
    expect(rowOf(report, 'second, with the corpus in place')?.[1]).toBe('4.0');
  });

  it('shows memory at each sample, and a dash if unknown', () => {
    expect(rowOf(report, 'gateway', '100 (60)')).toEqual(['gateway', '100 (60)', '120 (–)']);
  });

  it('describes the environment', () => {
    expect(report).toContain('2026-01-02T03:04Z at commit abc1234');
    expect(report).toContain('2000 documents of 301 words, 200 queries');
  });

  it('reports failed requests', () => {
    const [first, ...others] = result.search.measurements;
    const failed = { ...first!, failures: 3, firstFailure: 'POST /api/v1/search returned 503' };
    const search = { ...result.search, measurements: [failed, ...others] };
    expect(writeReport({ ...result, search })).toContain('**3 requests failed** (Lectern, end to end, clients: 1)');
    expect(report).not.toContain('failed');
  });

  it('omits chat if it was not measured', () => {
    expect(writeReport({ ...result, chat: undefined })).not.toContain('Chat');
  });
});
