/** What the child's watchdog writes to standard error before it ends the process for its memory. */
export const memoryLimitMark = 'lectern: memory limit reached';
