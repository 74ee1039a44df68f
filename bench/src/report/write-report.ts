import type { BenchmarkResult } from '#report/benchmark-result';
import { cpuSection } from '#report/cpu-section';
import { mebibytes, ms, rate, seconds } from '#report/format';
import { memorySection } from '#report/memory-section';
import { searchSection } from '#report/search-section';
import { table } from '#report/table';

/** Renders a run as Markdown, without paths and host names. */
export function writeReport(result: BenchmarkResult): string {
  const sections = [
    '# Benchmark',
    conditions(result),
    'How to read this: [bench/README.md](../README.md).',
    searchSection(result.search),
    cpuSection(result),
    indexingSection(result),
    ...(result.chat ? [chatSection(result.chat)] : []),
    startSection(result),
    memorySection(result.memory),
  ];
  return `${sections.join('\n\n')}\n`;
}

function conditions({ environment, corpus, seconds: measured }: BenchmarkResult): string {
  const { takenAt, commit, node, platform, cpu, cores, memoryBytes, loadBefore } = environment;
  const words = Math.round(corpus.wordsPerDocument);
  return [
    `- Taken ${takenAt.toISOString().slice(0, 16)}Z${commit === undefined ? '' : ` at commit ${commit}`}`,
    `- Node ${node}, ${platform}, ${cores} × ${cpu}, ${mebibytes(memoryBytes)} MiB; load average before: ${loadBefore.toFixed(2)}`,
    `- Corpus: ${corpus.name}; ${corpus.documents} documents of ${words} words, ${corpus.queries} queries`,
    `- ${measured} s for each system at each number of clients, in alternating turns; load and system share the machine`,
  ].join('\n');
}

function indexingSection({ indexing: { documents, passages, uploadMs, indexedMs } }: BenchmarkResult): string {
  const perSecond = (count: number) => rate((count * 1000) / indexedMs);
  const head = ['Documents', 'passages', 'upload s', 'until indexed s', 'documents/s', 'passages/s'];
  const row = [documents, passages, seconds(uploadMs), seconds(indexedMs), perSecond(documents), perSecond(passages)];
  return ['## Indexing', table(head, [row.map(String)], 0)].join('\n\n');
}

function chatSection(chat: NonNullable<BenchmarkResult['chat']>): string {
  const { p50Ms, p95Ms, requests, failures, firstFailure } = chat;
  const head = ['Chat, blocking, builtin model, 1 client', 'p50 ms', 'p95 ms', 'messages'];
  const row = ['Lectern, end to end', ms(p50Ms), ms(p95Ms), String(requests)];
  const note = failures === 0 ? [] : [`**${failures} messages failed**, first with: ${firstFailure ?? ''}`];
  return ['## Chat', table(head, [row]), ...note].join('\n\n');
}

function startSection({ firstStartMs, fetchedNats, secondStartMs }: BenchmarkResult): string {
  const first = fetchedNats ? 'first, with nats-server fetched' : 'first';
  const rows = [
    [first, seconds(firstStartMs)],
    ['second, with the corpus in place', secondStartMs === undefined ? 'failed' : seconds(secondStartMs)],
  ];
  return ['## Time to ready', table(['Start', 's'], rows)].join('\n\n');
}
