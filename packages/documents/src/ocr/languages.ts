import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** The integer models of Tesseract's most accurate networks: small, and three times as fast. */
const variant = '4.0.0_best_int';

/** Returns the path of a language's compressed data, or undefined if its package is not installed. */
export const languageFile = (language: string): string | undefined => {
  try {
    const folder = dirname(require.resolve(`@tesseract.js-data/${language}/package.json`));
    const file = join(folder, variant, `${language}.traineddata.gz`);
    return existsSync(file) ? file : undefined;
  } catch {
    return undefined; // not installed
  }
};

/** Throws RangeError if the data of a language is not installed. */
export const requireLanguages = (languages: readonly string[]): void => {
  for (const language of languages) {
    if (languageFile(language) !== undefined) continue;
    throw new RangeError(
      `The OCR language "${language}" is not installed. Install the npm package @tesseract.js-data/${language}, or remove the language from OCR_LANGUAGES.`,
    );
  }
};
