import { randomBytes } from 'node:crypto';
import type { SourceDocument, SourcePassage } from '@lectern/grounding';
import { cutText } from '#tools/cut-text';
import { type ToolOutcome, toolError } from '#tools/tool';

const FENCE = /^<tool_output mark="([0-9a-f]{12})">\n([\s\S]*)\n<\/tool_output mark="\1">$/;

/**
 * Sets a tool's output apart as data. The mark is drawn anew for each output, so that nothing in it can close the fence; the instructions
 * above the conversation say what a fence means.
 */
export function fence(content: string): string {
  const mark = randomBytes(6).toString('hex');
  return `<tool_output mark="${mark}">\n${content}\n</tool_output mark="${mark}">`;
}

/** What stands within a fence. */
export const withoutFence = (text: string): string => FENCE.exec(text)?.[2] ?? text;

const bytesOf = (text: string): number => Buffer.byteLength(text, 'utf8');
const passageBytes = ({ text, heading = '' }: SourcePassage): number => bytesOf(text) + bytesOf(heading);

/** Bytes (UTF-8) of an outcome that a model reads. */
export function outputBytes({ content, sources = [] }: ToolOutcome): number {
  return sources.reduce(
    (sum, { title, passages }) =>
      passages.reduce((total, passage) => total + passageBytes(passage), sum + bytesOf(title)),
    bytesOf(content),
  );
}

const CUT_NOTE = '\n\n[The output was too long and has been cut here. Ask for less.]';

/** An outcome of at most so many bytes (beside the note that it was cut): passages that have no room are left out whole, then the text is cut at its end, and says so. */
export function cutOutput(outcome: ToolOutcome, maxBytes: number): ToolOutcome {
  if (outputBytes(outcome) <= maxBytes) return outcome;
  if (maxBytes <= 0) return toolError('This run has read as much as it may. Answer with what you have.');
  const content = cutText(outcome.content, maxBytes);
  let room = maxBytes - bytesOf(content);
  const sources: SourceDocument[] = [];
  for (const source of outcome.sources ?? []) {
    room -= bytesOf(source.title);
    const passages: SourcePassage[] = [];
    for (const passage of source.passages) {
      const fitting = cutPassage(passage, room);
      if (fitting === undefined) break;
      passages.push(fitting);
      room -= passageBytes(fitting);
    }
    if (passages.length > 0) sources.push({ ...source, passages });
  }
  return { ...outcome, content: `${content}${CUT_NOTE}`, ...(outcome.sources === undefined ? {} : { sources }) };
}

/** Below this a passage is not worth showing. */
const MIN_PASSAGE_BYTES = 200;

function cutPassage(passage: SourcePassage, room: number): SourcePassage | undefined {
  if (passageBytes(passage) <= room) return passage;
  const left = room - bytesOf(passage.heading ?? '');
  if (left < MIN_PASSAGE_BYTES) return undefined;
  const text = cutText(passage.text, left);
  return { ...passage, text, end: passage.start + text.length };
}
