import { z } from 'zod';

/** The categories of a Chromium trace that contain the tasks of each thread. */
export const TASK_CATEGORIES = ['toplevel', '__metadata'];

const eventSchema = z.object({
  name: z.string(),
  ph: z.string(),
  pid: z.number(),
  tid: z.number(),
  /** The CPU time in microseconds. */
  tdur: z.number().optional(),
  args: z.object({ name: z.unknown() }).partial().optional(),
});
const traceSchema = z.object({ traceEvents: z.array(eventSchema) });

/**
 * Returns the CPU time of each task of a page's main thread in milliseconds. Unlike the time that
 * passes, it does not depend on the load of the machine.
 */
export function taskTimes(trace: string): readonly number[] {
  const { traceEvents } = traceSchema.parse(JSON.parse(trace));
  const mainThreads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  return traceEvents
    .filter(({ name, ph, pid, tid }) => ph === 'X' && name.endsWith('RunTask') && mainThreads.has(`${pid} ${tid}`))
    .flatMap(({ tdur }) => (tdur === undefined ? [] : [tdur / 1_000]));
}
