import type { File } from '#gen/prisma/client';
import { sourceFailure } from '../connectors/source-failure.ts';
import type { Context } from '../context.ts';
import { forEachAtOnce } from './for-each-at-once.ts';

/** What was removed, and what went wrong then. */
export interface RemovedAtSource {
  readonly files: readonly File[];
  readonly failure: unknown;
}

/** Removes files from the source, where it keeps files itself; of those that Lectern keeps nothing is left to do there. */
export async function removeAtSource(
  ctx: Context,
  connectorId: string,
  files: readonly File[],
  signal: AbortSignal,
): Promise<RemovedAtSource> {
  const removed: File[] = [];
  try {
    await ctx.sources.use(connectorId, async (source) => {
      await forEachAtOnce(files, async (file) => {
        await source.remove?.({ signal }, file.sourceId);
        removed.push(file);
      });
    });
    return { files: removed, failure: undefined };
  } catch (error) {
    return { files: removed, failure: sourceFailure(error) };
  }
}
