import type { Root } from 'hast';
import { common, createLowlight } from 'lowlight';

const lowlight = createLowlight(common);

/** Returns the elements of a highlighted text, or undefined for an unknown language. */
export const highlight = (language: string, text: string): Root | undefined =>
  lowlight.registered(language) ? lowlight.highlight(language, text) : undefined;
