/** Exit codes, for scripts. */
export const EXIT = {
  ok: 0,
  failed: 1,
  /** Invalid command line. */
  usage: 2,
  /** No key, or a key without permission. */
  denied: 3,
  /** Lectern is not reachable or overloaded. The same command may succeed later. */
  unavailable: 4,
  /** A sync job ended with errors, or documents of an import failed. */
  incomplete: 5,
  /** Ctrl-C: 128 plus the number of the signal. */
  interrupted: 130,
} as const;
