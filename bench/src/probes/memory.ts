import { readFile } from 'node:fs/promises';
import { descendants } from '#probes/process-table';
import { readProcessTable } from '#probes/read-process-table';

/** The memory of a part with its child processes. */
export interface MemoryUse {
  readonly processes: number;
  /** Resident set size in bytes. Shared pages count in each process. */
  readonly rssBytes: number;
  /** Proportional set size in bytes, which divides shared pages among processes. Linux only. */
  readonly pssBytes: number | undefined;
}

/** Parts by name. */
export type MemoryByPart = Readonly<Record<string, MemoryUse>>;

/** Measures each part, given its first process. */
export async function measureMemory(parts: Readonly<Record<string, number>>): Promise<MemoryByPart> {
  const table = await readProcessTable();
  const measured = Object.entries(parts).map(async ([name, pid]): Promise<[string, MemoryUse]> => {
    const processes = descendants(table, pid);
    const pss = (await Promise.all(processes.map((process) => readPss(process.pid)))).filter(
      (bytes) => bytes !== undefined,
    );
    const rssBytes = processes.reduce((sum, process) => sum + process.rssBytes, 0);
    const pssBytes = pss.length === 0 ? undefined : pss.reduce((sum, bytes) => sum + bytes, 0);
    return [name, { processes: processes.length, rssBytes, pssBytes }];
  });
  return Object.fromEntries(await Promise.all(measured));
}

/** Undefined if unavailable, or if the process has ended. */
async function readPss(pid: number): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  const [, kibibytes] = /^Pss:\s+(\d+) kB$/m.exec(text) ?? [];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}
