import { estimateTokens } from '@lectern/text';
import type { Unit } from '#chunk/split-block';

/** Units under one heading (or several small ones that were merged), waiting to be packed into chunks. */
export interface Section {
  /** Headings from the top down to this section's own. */
  headingPath: readonly string[];
  /** Level of the section's heading; 0 for what stands before the first one. */
  readonly level: number;
  readonly units: Unit[];
  /** Estimate from the first unit to the last, with the gaps between them. */
  tokens: number;
  /** Some of the section has become chunks already, so it can no longer be merged with a neighbour. */
  begun: boolean;
  /** Where the next chunk begins if it repeats the end of the one before it. */
  overlapFrom: number | undefined;
}

export const newSection = (headingPath: readonly string[], level: number): Section => ({
  headingPath,
  level,
  units: [],
  tokens: 0,
  begun: false,
  overlapFrom: undefined,
});

/** Tokens that `unit` adds after `before`: its own, and the white space between. */
export const addedTokens = (text: string, before: Unit | undefined, unit: Unit): number =>
  unit.tokens + (before ? estimateTokens(text, before.end, unit.start) : 0);

export const addUnit = (text: string, section: Section, unit: Unit): void => {
  section.tokens += addedTokens(text, section.units.at(-1), unit);
  section.units.push(unit);
};

export const hasOnlyHeadings = (section: Section): boolean => section.units.every((unit) => unit.kind === 'heading');

const commonPath = (one: readonly string[], other: readonly string[]): readonly string[] => {
  const differs = one.findIndex((heading, index) => heading !== other[index]);
  return differs === -1 ? one : one.slice(0, differs);
};

/** Appends a section to its neighbour; the result is headed by what the two have in common. */
export const mergeInto = (text: string, section: Section, next: Section): void => {
  for (const unit of next.units) addUnit(text, section, unit);
  section.headingPath = commonPath(section.headingPath, next.headingPath);
};
