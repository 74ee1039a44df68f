import { fileURLToPath } from 'node:url';
import type { InputOptions } from 'rolldown';

/** The options of all bundles that contain the questions. */
export const ASK_OPTIONS = {
  platform: 'browser',
  resolve: {
    alias: {
      'decode-named-character-reference': fileURLToPath(
        new URL('../src/browser/ask/decode-named-character-reference.ts', import.meta.url),
      ),
    },
  },
} as const satisfies InputOptions;
