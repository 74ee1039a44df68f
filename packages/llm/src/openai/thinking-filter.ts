const OPENING = '<think>';
const CLOSING = '</think>';

/**
 * Removes a `<think>` block at the very start of a reply, which servers without a reasoning parser
 * pass on.
 */
export interface ThinkingFilter {
  /** The part of a delta to show. */
  push(delta: string): string;
  /** Text that was buffered because it could have been the start of a block. */
  end(): string;
}

/** Creates a filter for one reply. */
export function createThinkingFilter(): ThinkingFilter {
  let buffer = '';
  let state: 'start' | 'thinking' | 'reply' = 'start';
  const push = (delta: string): string => {
    if (state === 'reply') return delta;
    buffer += delta;
    if (state === 'start') {
      const start = buffer.trimStart();
      if (OPENING.startsWith(start.slice(0, OPENING.length)) && start.length < OPENING.length) return '';
      state = start.startsWith(OPENING) ? 'thinking' : 'reply';
      if (state === 'reply') return buffer;
    }
    const end = buffer.indexOf(CLOSING);
    if (end === -1) return '';
    state = 'reply';
    return buffer.slice(end + CLOSING.length).trimStart();
  };
  return { push, end: () => (state === 'start' ? buffer : '') };
}
