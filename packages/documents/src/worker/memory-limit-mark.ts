/**
 * The watchdog writes this to standard error before it kills a process that exceeds its memory
 * limit.
 */
export const memoryLimitMark = 'lectern: memory limit reached';
