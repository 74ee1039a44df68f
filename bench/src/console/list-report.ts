import type { ListScroll } from '#console/measure-list';
import { percentile } from '#load/latency';
import { ms } from '#report/format';
import { table } from '#report/table';

/** A longer task makes scrolling stop visibly. Other load of the machine lengthens tasks, but not their CPU time. */
const MAX_TASK_MS = 50;

/** Renders the scroll through a list, with the pages of its longest tasks. */
export function listReport({ documents, pages, longTasks, frameMs, cpuMs }: ListScroll): string {
  const longest = longTasks.toSorted((a, b) => b.durationMs - a.durationMs);
  const mostCpuMs = cpuMs.reduce((most, time) => Math.max(most, time), 0);
  const head = [
    'list',
    'pages',
    'frames',
    'frame ms, p95',
    'tasks over 50 ms',
    'longest ms',
    'longest ms of CPU',
    'within the limit',
  ];
  const row = [
    `${documents} documents`,
    String(pages),
    String(frameMs.length),
    ms(percentile(frameMs, 0.95)),
    String(longTasks.length),
    longest[0] === undefined ? `below ${MAX_TASK_MS}` : ms(longest[0].durationMs),
    ms(mostCpuMs),
    mostCpuMs <= MAX_TASK_MS ? 'yes' : 'no',
  ];
  const worst = longest.slice(0, 5).map(({ page, durationMs }) => `page ${page}: ${ms(durationMs)} ms`);
  return `${table(head, [row])}\n\nLimit: no task over ${MAX_TASK_MS} ms of CPU time.${worst.length === 0 ? '' : ` Longest: ${worst.join(', ')}.`}`;
}
