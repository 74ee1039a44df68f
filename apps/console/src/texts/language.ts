/** The languages of the console, and of what Lectern writes to people. */
const LANGUAGES = ['en', 'de'] as const;

export type Language = (typeof LANGUAGES)[number];

const STORAGE_KEY = 'lectern.language';

const isLanguage = (tag: string | null): tag is Language => LANGUAGES.some((language) => language === tag);

/** Returns the language last chosen in this browser, otherwise the first of the browser's that exists. */
export function preferredLanguage(): Language {
  const saved = localStorage.getItem(STORAGE_KEY);
  if (isLanguage(saved)) return saved;
  const preferred = navigator.languages.map((tag) => tag.split('-')[0]?.toLowerCase() ?? '');
  return preferred.find(isLanguage) ?? 'en';
}

/** Saves the choice of a person for this browser. Null: the browser's own languages. */
export function saveLanguage(chosen: string | null): void {
  if (isLanguage(chosen)) localStorage.setItem(STORAGE_KEY, chosen);
  else localStorage.removeItem(STORAGE_KEY);
}
