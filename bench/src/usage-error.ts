/** An invalid command line. The message contains the reason. */
export class UsageError extends Error {}

/** Runs a parser of arguments. Its errors become `UsageError`s. */
export function parseUsage<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
