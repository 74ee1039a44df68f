import type { IconName } from '#ui/icon.tsx';

/** A page or a record that the command menu opens. */
export interface CommandEntry {
  readonly to: string;
  /** Unique in the menu. Default: `to`. */
  readonly key?: string;
  readonly label: string;
  readonly icon: IconName;
  /** Other words for it. */
  readonly words?: readonly string[];
  readonly detail?: string;
}

export interface CommandGroup {
  readonly heading: string;
  readonly entries: readonly CommandEntry[];
}

/** Without case and accents. A sigma has another form at the end of a word, which can still continue. */
const fold = (text: string) =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ').replace(/\s+/g, ' ').trim();

/**
 * How well an entry matches what was typed, from 0 (hidden) to 1. Each typed word must start a word
 * of the label or of another name. The label, which is the first name, counts most.
 */
function scoreOf(typed: string, names: readonly string[]): number {
  const wanted = fold(typed).split(' ').filter(Boolean);
  if (wanted.length === 0) return 1;
  const [label = '', ...others] = names.map(fold);
  if (label === wanted.join(' ')) return 1;
  if (label.startsWith(wanted.join(' '))) return 0.9;
  if (wanted.every((word) => startsWord(label, word))) return 0.7;
  return wanted.every((word) => [label, ...others].some((name) => startsWord(name, word))) ? 0.4 : 0;
}

const startsWord = (name: string, start: string): boolean =>
  name.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(start)) || name.startsWith(start);

/** The entries that match what was typed, the best first, in groups with the best group first. */
export function matching(typed: string, groups: readonly CommandGroup[]): CommandGroup[] {
  const scored = groups.map(({ heading, entries }) => {
    const rated = entries
      .map((entry) => ({ entry, score: scoreOf(typed, [entry.label, ...(entry.words ?? [])]) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score);
    return { heading, best: rated[0]?.score ?? 0, entries: rated.map(({ entry }) => entry) };
  });
  return scored.sort((a, b) => b.best - a.best);
}
