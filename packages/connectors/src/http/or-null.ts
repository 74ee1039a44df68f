import { SourceError } from '#source-error';

/** Awaits a request. Returns null if what it requests does not exist. */
export async function orNull<T>(request: Promise<T>): Promise<T | null> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof SourceError && error.kind === 'gone') return null;
    throw error;
  }
}
