const LANGUAGES = ['en', 'de'] as const;

/** A language of the widget. */
export type Language = (typeof LANGUAGES)[number];

const isLanguage = (text: string): text is Language => LANGUAGES.some((language) => language === text);

/** Returns the first of these languages that the widget has, otherwise English. A region is ignored: `de-AT`. */
export function firstLanguage(tags: readonly string[]): Language {
  const languages = tags.map((tag) => tag.trim().toLowerCase().replace(/-.*/, ''));
  return languages.find(isLanguage) ?? 'en';
}

/** Returns the language of a box: of its attribute, otherwise of the page, otherwise of the browser. */
export function languageOf(element: Element): Language {
  // The browser finds the closest `lang`, also outside of a shadow root.
  const inherited = LANGUAGES.filter((language) => element.matches(`:lang(${language})`));
  return firstLanguage([element.getAttribute('language') ?? '', ...inherited, ...navigator.languages]);
}
