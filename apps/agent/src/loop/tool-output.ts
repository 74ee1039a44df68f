import { randomBytes } from 'node:crypto';
import type { SourceDocument, SourcePassage } from '@lectern/grounding';
import { cutText } from '#tools/cut-text';
import { type ToolOutcome, toolError } from '#tools/tool';

const FENCE = /^<tool_output mark="([0-9a-f]{12})">\n([\s\S]*)\n<\/tool_output mark="\1">$/;

/**
 * Encloses a tool's output as data. The mark is random for each output, so that the output cannot
 * close the fence. The system prompt explains the fence.
 */
export function fence(content: string): string {
  const mark = randomBytes(6).toString('hex');
  return `<tool_output mark="${mark}">\n${content}\n</tool_output mark="${mark}">`;
}

/** Returns the text within a fence. */
export const withoutFence = (text: string): string => FENCE.exec(text)?.[2] ?? text;

const bytesOf = (text: string): number => Buffer.byteLength(text, 'utf8');
const passageBytes = ({ text, heading = '' }: SourcePassage): number => bytesOf(text) + bytesOf(heading);

/** Returns the size of an outcome for the model, in UTF-8 bytes. */
export function outputBytes({ content, sources = [] }: ToolOutcome): number {
  return sources.reduce(
    (sum, { title, passages }) =>
      passages.reduce((total, passage) => total + passageBytes(passage), sum + bytesOf(title)),
    bytesOf(content),
  );
}

const CUT_NOTE = '\n\n[The output was too long and was truncated here. Request less data.]';

/**
 * Truncates an outcome to a number of bytes, not counting the note about it. Drops passages that do
 * not fit first, then cuts the end of the text.
 */
export function cutOutput(outcome: ToolOutcome, maxBytes: number): ToolOutcome {
  if (outputBytes(outcome) <= maxBytes) return outcome;
  if (maxBytes <= 0) return toolError('This run has reached its limit of tool output. Answer with what you have.');
  const content = cutText(outcome.content, maxBytes);
  let remainingBytes = maxBytes - bytesOf(content);
  const sources: SourceDocument[] = [];
  for (const source of outcome.sources ?? []) {
    remainingBytes -= bytesOf(source.title);
    const passages: SourcePassage[] = [];
    for (const passage of source.passages) {
      const fitting = cutPassage(passage, remainingBytes);
      if (fitting === undefined) break;
      passages.push(fitting);
      remainingBytes -= passageBytes(fitting);
    }
    if (passages.length > 0) sources.push({ ...source, passages });
  }
  return { ...outcome, content: `${content}${CUT_NOTE}`, ...(outcome.sources === undefined ? {} : { sources }) };
}

/** Shorter parts of a passage are dropped. */
const MIN_PASSAGE_BYTES = 200;

function cutPassage(passage: SourcePassage, remainingBytes: number): SourcePassage | undefined {
  if (passageBytes(passage) <= remainingBytes) return passage;
  const textBytes = remainingBytes - bytesOf(passage.heading ?? '');
  if (textBytes < MIN_PASSAGE_BYTES) return undefined;
  const text = cutText(passage.text, textBytes);
  return { ...passage, text, end: passage.start + text.length };
}
