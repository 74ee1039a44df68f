import { numberText } from '#ui/number-text.ts';

/** Formats a count with its noun: `1 document`, `2,000 documents`. */
export const plural = (count: number, noun: string): string => `${numberText(count)} ${noun}${count === 1 ? '' : 's'}`;
