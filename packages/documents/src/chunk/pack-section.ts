import { estimateTokens } from '@lectern/text';
import { overlapStart } from '#chunk/overlap';
import { addedTokens, type Section } from '#chunk/sections';
import type { Unit } from '#chunk/split-block';

/** The position and headings of a chunk. */
export interface Passage {
  readonly start: number;
  readonly end: number;
  readonly headingPath: readonly string[];
}

/** Sizes of chunks in tokens. */
export interface PackLimits {
  readonly target: number;
  readonly overlap: number;
}

/**
 * Takes units from the front of a section until `goal` is reached or the next unit would exceed the
 * target.
 */
const takePassage = (text: string, section: Section, limits: PackLimits, goal: number): Passage | undefined => {
  const first = section.units[0];
  if (!first) return undefined;
  const overlapped = section.overlapFrom ?? first.start;
  const fits = estimateTokens(text, overlapped, first.end) <= limits.target;
  const start = fits ? overlapped : first.start;
  let tokens = estimateTokens(text, start, first.end);
  let count = 1;
  for (let unit = section.units[1]; unit && tokens < goal; unit = section.units[count]) {
    const added = addedTokens(text, section.units[count - 1], unit);
    if (tokens + added > limits.target) break;
    tokens += added;
    count++;
  }
  const taken = section.units.splice(0, count);
  settle(text, section, taken, limits.overlap);
  return { start, end: taken.at(-1)?.end ?? first.end, headingPath: section.headingPath };
};

/** Updates the section's totals after `taken` was removed. */
const settle = (text: string, section: Section, taken: readonly Unit[], overlap: number): void => {
  const next = section.units[0];
  const gone = taken.reduce((sum, unit, index) => sum + addedTokens(text, taken[index - 1], unit), 0);
  const gap = next ? addedTokens(text, taken.at(-1), next) - next.tokens : 0;
  section.isPartlyPacked = true;
  section.tokens = next ? section.tokens - gone - gap : 0;
  section.overlapFrom = next?.kind === 'prose' ? overlapStart(text, taken, overlap) : undefined;
};

/** Packs a section that is still being read, except for its last two chunks. */
export function* packFull(text: string, section: Section, limits: PackLimits): Generator<Passage> {
  while (section.tokens > 2 * limits.target) {
    const passage = takePassage(text, section, limits, limits.target);
    if (!passage) return;
    yield passage;
  }
}

/** Packs the rest of a section into passages of about equal size, including overlaps. */
export function* packRest(text: string, section: Section, limits: PackLimits): Generator<Passage> {
  const { target, overlap } = limits;
  while (section.units.length > 0) {
    const repeated = section.overlapFrom === undefined ? 0 : overlap;
    const count = Math.max(1, Math.ceil((repeated + section.tokens - overlap) / (target - overlap)));
    const goal = Math.ceil((repeated + section.tokens + (count - 1) * overlap) / count);
    const passage = takePassage(text, section, limits, goal);
    if (!passage) return;
    yield passage;
  }
}
