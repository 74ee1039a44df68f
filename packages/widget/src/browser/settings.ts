const DEFAULT_LIMIT = 6;
const MAX_LIMIT = 20;

/** The settings of a search box. */
export interface Settings {
  /** A publishable key or a user token. */
  readonly key: string;
  /** The URL of the Lectern server without a trailing slash. */
  readonly baseUrl: string;
  /** The ids of the collections to search. Empty for all that the key can access. */
  readonly collections: readonly string[];
  readonly limit: number;
  readonly label: string;
  readonly placeholder: string;
}

/** The attributes of the element. The script tag has the same ones with the prefix `data-`. */
export const ATTRIBUTES = ['key', 'base-url', 'collections', 'limit', 'label', 'placeholder'] as const;

/** Reads the attributes. `defaultBaseUrl` applies if there is no `base-url`. */
export function readSettings(element: Element, defaultBaseUrl: string): Settings {
  const text = (name: (typeof ATTRIBUTES)[number]) => element.getAttribute(name)?.trim() ?? '';
  const limit = Number.parseInt(text('limit'), 10);
  const label = text('label') || 'Search';
  return {
    key: text('key'),
    baseUrl: (text('base-url') || defaultBaseUrl).replace(/\/+$/, ''),
    collections: text('collections')
      .split(/[\s,]+/)
      .filter((id) => id !== ''),
    limit: Number.isNaN(limit) ? DEFAULT_LIMIT : Math.min(Math.max(limit, 1), MAX_LIMIT),
    label,
    placeholder: text('placeholder') || label,
  };
}
