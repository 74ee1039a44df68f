import { readFile } from 'node:fs/promises';
import { descendants } from '#probes/process-table';
import { readProcessTable } from '#probes/read-process-table';

/**
 * The clock tick of Linux (`getconf CLK_TCK`): 100 per second on every platform that Node supports.
 */
const MS_PER_TICK = 10;

/** CPU milliseconds of each part since its start, by name. */
export type CpuByPart = Readonly<Record<string, number>>;

/**
 * Measures the CPU time of each part with its child processes, including ended ones. Linux only.
 */
export async function measureCpu(parts: Readonly<Record<string, number>>): Promise<CpuByPart> {
  const table = await readProcessTable();
  const measured = Object.entries(parts).map(async ([name, pid]): Promise<[string, number]> => {
    const spent = await Promise.all(descendants(table, pid).map((process) => readCpuMs(process.pid)));
    return [name, spent.reduce((sum, ms) => sum + ms, 0)];
  });
  return Object.fromEntries(await Promise.all(measured));
}

/** Returns the CPU time between two measurements. A part that was restarted counts from its start. */
export function cpuBetween(before: CpuByPart, after: CpuByPart): CpuByPart {
  return mapParts(after, (ms, name) => {
    const spent = ms - (before[name] ?? 0);
    return spent < 0 ? ms : spent;
  });
}

/** Adds measurements. */
export function addCpu(a: CpuByPart, b: CpuByPart): CpuByPart {
  return mapParts({ ...a, ...b }, (_ms, name) => (a[name] ?? 0) + (b[name] ?? 0));
}

/** Divides a measurement by a number of requests, documents or passages. */
export const sharedOver = (cpu: CpuByPart, count: number): CpuByPart => mapParts(cpu, (ms) => ms / count);

function mapParts(cpu: CpuByPart, map: (ms: number, name: string) => number): CpuByPart {
  return Object.fromEntries(Object.entries(cpu).map(([name, ms]) => [name, map(ms, name)]));
}

/**
 * Returns the CPU time of a process and its ended children (man 5 proc: utime, stime, cutime,
 * cstime). 0 if it has ended; then its parent counts it.
 */
async function readCpuMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The second field is a name in brackets that can contain any character.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * MS_PER_TICK;
}
