import i18next, { type TFunction } from 'i18next';
import { ENGLISH } from '#texts/en/index.ts';
import type { Language } from '#texts/language.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof ENGLISH };
  }
}

/** The texts of the console. English until `loadTexts` has loaded another language. */
export const texts = i18next.createInstance({
  lng: 'en',
  fallbackLng: 'en',
  resources: { en: { translation: ENGLISH } },
  // React escapes what it renders.
  interpolation: { escapeValue: false },
  initAsync: false,
});
// Ends at once, because the English texts need not be loaded.
void texts.init();

/**
 * Returns a text, with its variables and for a count in its plural: `t('keys.expires', { day })`. The language never
 * changes after the page has started, so modules may call it when they are loaded.
 */
export const t: TFunction = texts.t;

/** The language of the page, for `Intl`. */
export const language = (): Language => (texts.language === 'de' ? 'de' : 'en');

/** Loads the texts of a language. It must end before other modules of the console are loaded. */
export async function loadTexts(wanted: Language): Promise<void> {
  if (wanted === 'de') {
    const { GERMAN } = await import('#texts/de/index.ts');
    texts.addResourceBundle('de', 'translation', GERMAN);
  }
  await texts.changeLanguage(wanted);
  document.documentElement.lang = wanted;
}
