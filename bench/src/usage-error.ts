/** An invalid command line. The message contains the reason. */
export class UsageError extends Error {}
