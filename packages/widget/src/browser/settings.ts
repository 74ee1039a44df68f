import type { Language } from '#browser/texts/language';
import { widgetTexts } from '#browser/texts/texts';

const DEFAULT_LIMIT = 6;
const MAX_LIMIT = 20;

/** What a box offers: to search, or to ask questions. */
const MODES = ['search', 'ask'] as const;

export type Mode = (typeof MODES)[number];

/** The settings of a box. */
export interface Settings {
  /** A publishable key or a user token. */
  readonly key: string;
  /** The URL of the Lectern server without a trailing slash. */
  readonly baseUrl: string;
  /** In the order of the attribute, at least one. */
  readonly modes: readonly Mode[];
  /** The ids of the collections to search. Empty for all that the key can access. */
  readonly collections: readonly string[];
  readonly limit: number;
  readonly label: string;
  readonly placeholder: string;
  readonly askLabel: string;
}

/** The attributes of the element. The script tag has the same ones with the prefix `data-`. */
export const ATTRIBUTES = [
  'key',
  'base-url',
  'modes',
  'theme',
  'language',
  'collections',
  'limit',
  'label',
  'placeholder',
  'ask-label',
] as const;

const isMode = (text: string): text is Mode => MODES.some((mode) => mode === text);

const listOf = (text: string): string[] => text.split(/[\s,]+/).filter((item) => item !== '');

/** Reads the attributes. `defaultBaseUrl` applies if there is no `base-url`, and `language` to missing labels. */
export function readSettings(element: Element, defaultBaseUrl: string, language: Language): Settings {
  const texts = widgetTexts(language);
  const text = (name: (typeof ATTRIBUTES)[number]) => element.getAttribute(name)?.trim() ?? '';
  const limit = Number.parseInt(text('limit'), 10);
  const label = text('label') || texts.searchLabel;
  const modes = [...new Set(listOf(text('modes')).filter(isMode))];
  return {
    key: text('key'),
    baseUrl: (text('base-url') || defaultBaseUrl).replace(/\/+$/, ''),
    modes: modes.length === 0 ? ['search'] : modes,
    collections: listOf(text('collections')),
    limit: Number.isNaN(limit) ? DEFAULT_LIMIT : Math.min(Math.max(limit, 1), MAX_LIMIT),
    label,
    placeholder: text('placeholder') || label,
    askLabel: text('ask-label') || texts.askLabel,
  };
}
