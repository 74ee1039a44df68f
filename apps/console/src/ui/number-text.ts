import { language } from '#texts/texts.ts';

/** Formats a number: `2,000`. */
export const numberText = (value: number): string => value.toLocaleString(language());
