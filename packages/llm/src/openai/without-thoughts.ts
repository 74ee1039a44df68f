const OPENING = '<think>';
const CLOSING = '</think>';

/**
 * Leaves out what a model thinks aloud before its reply, as servers without a reasoning parser pass it on: a `<think>` block at the very
 * beginning.
 */
export interface ThoughtFilter {
  /** What is left of a delta. */
  push(delta: string): string;
  /** What was held back because it might have been such a block. */
  end(): string;
}

/** A filter for one reply. */
export function createThoughtFilter(): ThoughtFilter {
  let held = '';
  let state: 'beginning' | 'thinking' | 'speaking' = 'beginning';
  const push = (delta: string): string => {
    if (state === 'speaking') return delta;
    held += delta;
    if (state === 'beginning') {
      const begun = held.trimStart();
      if (OPENING.startsWith(begun.slice(0, OPENING.length)) && begun.length < OPENING.length) return '';
      state = begun.startsWith(OPENING) ? 'thinking' : 'speaking';
      if (state === 'speaking') return held;
    }
    const end = held.indexOf(CLOSING);
    if (end === -1) return '';
    state = 'speaking';
    return held.slice(end + CLOSING.length).trimStart();
  };
  return { push, end: () => (state === 'beginning' ? held : '') };
}
