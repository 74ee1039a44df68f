import type { SourcePassage } from '@lectern/grounding';

/**
 * Joins overlapping passages of one document, at the position and with the score of the better one.
 * Passages are best first. Every text remains the document's text between its offsets.
 */
export function mergePassages(passages: readonly SourcePassage[]): SourcePassage[] {
  return passages.reduce<SourcePassage[]>((merged, passage) => add(merged, passage), []);
}

/** Adds a passage. A joined passage can overlap a third one, so it is added recursively. */
function add(merged: readonly SourcePassage[], passage: SourcePassage): SourcePassage[] {
  const at = merged.findIndex((other) => overlap(other, passage));
  const other = merged[at];
  if (other === undefined) return [...merged, passage];
  const joined = join(other, passage);
  if (joined === other) return [...merged];
  const rest = merged.toSpliced(at, 1);
  const result = add(rest, joined);
  // If it joined no other passage, it gets the better passage's position.
  return result.length === rest.length + 1 ? merged.toSpliced(at, 1, joined) : result;
}

/** Compares the offsets and the text in the overlap. */
function overlap(a: SourcePassage, b: SourcePassage): boolean {
  const start = Math.max(a.start, b.start);
  const end = Math.min(a.end, b.end);
  if (start >= end || !isExact(a) || !isExact(b)) return false;
  return a.text.slice(start - a.start, end - a.start) === b.text.slice(start - b.start, end - b.start);
}

/** Returns whether the offsets match the length of the text. Only such passages can be joined. */
function isExact({ text, start, end }: SourcePassage): boolean {
  return text.length === end - start;
}

function join(better: SourcePassage, other: SourcePassage): SourcePassage {
  if (better.start <= other.start && other.end <= better.end) return better;
  const [first, second] = better.start <= other.start ? [better, other] : [other, better];
  const text = first.text + second.text.slice(Math.max(0, first.end - second.start));
  return { ...better, text, start: first.start, end: Math.max(first.end, second.end) };
}
