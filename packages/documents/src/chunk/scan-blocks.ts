/** A block of a document in the normal form, as UTF-16 offsets without surrounding white space. */
export type Block =
  | { readonly kind: 'heading'; readonly start: number; readonly end: number; readonly level: number }
  | { readonly kind: 'code' | 'table' | 'prose'; readonly start: number; readonly end: number };

/** A longer line that begins with # is a paragraph: every chunk below a heading repeats it. */
const maxHeadingChars = 500;

interface Line {
  readonly start: number;
  readonly end: number;
  readonly kind: 'blank' | 'heading' | 'fence' | 'table' | 'text';
}

const hash = 35;
const pipe = 124;

/** Returns the number of # that open a heading at `start`, or 0. */
const headingLevel = (text: string, start: number, end: number): number => {
  let at = start;
  while (at < end && text.charCodeAt(at) === hash) at++;
  const level = at - start;
  const next = text.charCodeAt(at);
  return level >= 1 && level <= 6 && at < end && (next === 32 || next === 9) && end - start <= maxHeadingChars
    ? level
    : 0;
};

/** Returns the run of ` or ~ that opens or closes a code block at `start`, or ''. */
const fenceAt = (text: string, start: number, end: number): string => {
  const mark = text[start];
  if (mark !== '`' && mark !== '~') return '';
  let at = start;
  while (at < end && text[at] === mark && at - start < 100) at++;
  return at - start >= 3 ? mark.repeat(at - start) : '';
};

const contentEnd = (text: string, start: number, end: number): number => {
  let at = end;
  while (at > start && text.charCodeAt(at - 1) <= 32) at--;
  return at;
};

const lineAt = (text: string, start: number): Line & { readonly next: number } => {
  const found = text.indexOf('\n', start);
  const stop = found === -1 ? text.length : found;
  const end = contentEnd(text, start, stop);
  const next = stop + 1;
  if (end === start) return { start, end, next, kind: 'blank' };
  if (headingLevel(text, start, end) > 0) return { start, end, next, kind: 'heading' };
  if (fenceAt(text, start, end) !== '') return { start, end, next, kind: 'fence' };
  return { start, end, next, kind: text.charCodeAt(start) === pipe ? 'table' : 'text' };
};

/** Returns the end of the code block opened at `open`; an unclosed block ends with the document. */
const codeEnd = (text: string, open: Line & { readonly next: number }): { end: number; next: number } => {
  const fence = fenceAt(text, open.start, open.end);
  let end = open.end;
  let at = open.next;
  while (at < text.length) {
    const line = lineAt(text, at);
    at = line.next;
    if (line.kind !== 'blank') end = line.end;
    const closes = line.kind === 'fence' && fenceAt(text, line.start, line.end).startsWith(fence);
    if (closes && line.end - line.start <= 100 && text[line.end - 1] === fence[0]) break;
  }
  return { end, next: at };
};

/**
 * Yields the blocks of a document in the normal form, in order. Reads each line once. Structure
 * counts only at the start of a line. Not `passageUnits` of `packages/text`, which accepts any
 * Markdown: the boundaries of stored chunks depend on this stricter grammar.
 */
export function* scanBlocks(text: string): Generator<Block> {
  let at = 0;
  let open: { kind: 'table' | 'prose'; start: number; end: number } | undefined;
  while (at < text.length) {
    const line = lineAt(text, at);
    at = line.next;
    const kind = line.kind === 'table' ? 'table' : 'prose';
    const continues = (line.kind === 'table' || line.kind === 'text') && open?.kind === kind;
    if (open && continues) {
      open.end = line.end;
      continue;
    }
    if (open) yield open;
    open = undefined;
    if (line.kind === 'heading') {
      const level = headingLevel(text, line.start, line.end);
      yield { kind: 'heading', start: line.start, end: line.end, level };
    } else if (line.kind === 'fence') {
      const { end, next } = codeEnd(text, line);
      at = next;
      yield { kind: 'code', start: line.start, end };
    } else if (line.kind !== 'blank') {
      open = { kind, start: line.start, end: line.end };
    }
  }
  if (open) yield open;
}
