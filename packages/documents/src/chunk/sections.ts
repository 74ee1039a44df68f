import { estimateTokens, trimSpan } from '@lectern/text';
import type { Unit } from '#chunk/split-block';

/**
 * The units under one heading, or several small merged ones, before they are packed into chunks.
 */
export interface Section {
  /** The headings from the top down to this section. */
  headingPath: readonly string[];
  /** The level of the section's heading; 0 before the first heading. */
  readonly level: number;
  readonly units: Unit[];
  /** Estimate from the first unit to the last, with the gaps between them. */
  tokens: number;
  /** Then the section can no longer be merged. */
  isPartlyPacked: boolean;
  /** The start of the next chunk if it repeats the end of the previous one. */
  overlapFrom: number | undefined;
}

export const newSection = (headingPath: readonly string[], level: number): Section => ({
  headingPath,
  level,
  units: [],
  tokens: 0,
  isPartlyPacked: false,
  overlapFrom: undefined,
});

/**
 * Returns the tokens that `unit` adds after `before`, including the white space between them. White
 * space at the ends of the units is one run with it: an estimate can only be added up where white
 * space meets other text.
 */
export const addedTokens = (text: string, before: Unit | undefined, unit: Unit): number => {
  if (before === undefined) return unit.tokens;
  const from = trimSpan(text, before).end;
  const to = trimSpan(text, unit).start;
  const counted = estimateTokens(text, from, before.end) + estimateTokens(text, unit.start, to);
  return unit.tokens + estimateTokens(text, from, to) - counted;
};

export const addUnit = (text: string, section: Section, unit: Unit): void => {
  section.tokens += addedTokens(text, section.units.at(-1), unit);
  section.units.push(unit);
};

export const hasOnlyHeadings = (section: Section): boolean => section.units.every((unit) => unit.kind === 'heading');

const commonPath = (one: readonly string[], other: readonly string[]): readonly string[] => {
  const differs = one.findIndex((heading, index) => heading !== other[index]);
  return differs === -1 ? one : one.slice(0, differs);
};

/** Appends a section to the previous one; the result keeps their common headings. */
export const mergeInto = (text: string, section: Section, next: Section): void => {
  for (const unit of next.units) addUnit(text, section, unit);
  section.headingPath = commonPath(section.headingPath, next.headingPath);
};
