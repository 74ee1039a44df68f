import type { SourcePassage } from '@lectern/grounding';

/**
 * Passages of one document without what they say twice: those that overlap become one, in the place and with the score of the better. Passages
 * come best first, and stay so. Every text is still verbatim the document's between its offsets.
 */
export function mergePassages(passages: readonly SourcePassage[]): SourcePassage[] {
  return passages.reduce<SourcePassage[]>((merged, passage) => add(merged, passage), []);
}

/** A passage may join what it overlaps, and by that make it overlap a third. */
function add(merged: readonly SourcePassage[], passage: SourcePassage): SourcePassage[] {
  const at = merged.findIndex((other) => overlap(other, passage));
  const other = merged[at];
  if (other === undefined) return [...merged, passage];
  const joined = join(other, passage);
  if (joined === other) return [...merged];
  const rest = merged.toSpliced(at, 1);
  const result = add(rest, joined);
  // What joined nothing further goes back to where the better passage stood.
  return result.length === rest.length + 1 ? merged.toSpliced(at, 1, joined) : result;
}

/** By the offsets, and by the text that both then have in common. */
function overlap(a: SourcePassage, b: SourcePassage): boolean {
  const start = Math.max(a.start, b.start);
  const end = Math.min(a.end, b.end);
  if (start >= end || !isExact(a) || !isExact(b)) return false;
  return a.text.slice(start - a.start, end - a.start) === b.text.slice(start - b.start, end - b.start);
}

/** Offsets that do not measure the text cannot be merged by. */
function isExact({ text, start, end }: SourcePassage): boolean {
  return text.length === end - start;
}

function join(better: SourcePassage, other: SourcePassage): SourcePassage {
  if (better.start <= other.start && other.end <= better.end) return better;
  const [first, second] = better.start <= other.start ? [better, other] : [other, better];
  const text = first.text + second.text.slice(Math.max(0, first.end - second.start));
  return { ...better, text, start: first.start, end: Math.max(first.end, second.end) };
}
