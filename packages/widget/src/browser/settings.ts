const DEFAULT_LIMIT = 6;
const MAX_LIMIT = 20;

/** What a search box goes by. */
export interface Settings {
  /** A publishable key. */
  readonly key: string;
  /** Where Lectern is, without a slash at its end. */
  readonly baseUrl: string;
  /** Ids of the collections to search in; all that the key may see where there is none. */
  readonly collections: readonly string[];
  readonly limit: number;
  readonly label: string;
  readonly placeholder: string;
}

/** The attributes of the element, and with `data-` before them those of the script tag. */
export const ATTRIBUTES = ['key', 'base-url', 'collections', 'limit', 'label', 'placeholder'] as const;

/** Reads the attributes; `defaultBaseUrl` is where the script came from. */
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
