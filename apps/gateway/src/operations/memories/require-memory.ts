import type { Memory } from '@lectern/contracts';
import { AppError } from '@lectern/service-kit';

/** The memory of an answer, which always has one. */
export function requireMemory(memory: Memory | undefined): Memory {
  if (memory === undefined) throw new AppError('internal_error', 'The agent service answered without a memory.');
  return memory;
}
