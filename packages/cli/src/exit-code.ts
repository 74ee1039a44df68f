/** How a command ended, for scripts. */
export const EXIT = {
  ok: 0,
  /** Something went wrong. */
  failed: 1,
  /** The command line cannot be understood. */
  usage: 2,
  /** No key, or one that may not do this. */
  denied: 3,
  /** Lectern cannot be reached, or is overloaded; the same command may succeed later. */
  unavailable: 4,
  /** A sync job ended, but not with all of its items. */
  incomplete: 5,
  /** Ended by Ctrl-C: 128 and the signal's number. */
  interrupted: 130,
} as const;
