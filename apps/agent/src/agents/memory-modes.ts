/**
 * How an agent uses its memories. `off`: not at all. `recall`: runs get the relevant ones. `auto`:
 * it also proposes new ones after a run.
 */
export const MEMORY_MODES = ['off', 'recall', 'auto'] as const;

export type MemoryMode = (typeof MEMORY_MODES)[number];

export const DEFAULT_MEMORY_MODE: MemoryMode = 'recall';

/** Returns whether a text is the name of a mode. */
export function isMemoryMode(text: string): text is MemoryMode {
  return MEMORY_MODES.some((mode) => mode === text);
}
