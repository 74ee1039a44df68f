import type { MemoryByPart, MemoryUse } from '#probes/memory';
import { mebibytes } from '#report/format';
import { table } from '#report/table';

/** The memory of each part at each sample: resident, and in brackets the proportional set size. */
export function memorySection(memory: readonly (readonly [when: string, MemoryByPart])[]): string {
  const [, first = {}] = memory[0] ?? [];
  const names = Object.keys(first).sort();
  const rows = names.map((name) => [name, ...memory.map(([, parts]) => cell(parts[name]))]);
  const sums = ['**sum**', ...memory.map(([, parts]) => cell(sum(Object.values(parts))))];
  return ['## Memory', table(['MiB', ...memory.map(([when]) => when)], [...rows, sums])].join('\n\n');
}

function cell(use: MemoryUse | undefined): string {
  return use === undefined ? '–' : `${mebibytes(use.rssBytes)} (${mebibytes(use.pssBytes)})`;
}

function sum(uses: readonly MemoryUse[]): MemoryUse {
  const pss = uses.flatMap(({ pssBytes }) => pssBytes ?? []);
  return {
    processes: uses.reduce((all, { processes }) => all + processes, 0),
    rssBytes: uses.reduce((all, { rssBytes }) => all + rssBytes, 0),
    pssBytes: pss.length === uses.length ? pss.reduce((all, bytes) => all + bytes, 0) : undefined,
  };
}
