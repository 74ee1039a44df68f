import { isRecord } from '#api/is-record.ts';

/** A search that a person saved in this browser. */
export interface SavedSearch {
  readonly name: string;
  /** The parameters of the search page. */
  readonly params: string;
}

export const MAX_SAVED = 50;
export const MAX_NAME = 80;
/** The largest search that can be saved: a long query, and many chosen values. */
export const MAX_PARAMS = 20_000;

/** Whose searches they are: a person or a key, in a team. */
interface Owner {
  readonly teamId: string;
  readonly id: string;
}

const keyOf = ({ teamId, id }: Owner) => `lectern.searches.${teamId}.${id}`;

/** Returns the name that is stored: names that look the same are the same. */
export const cleanName = (name: string): string => name.trim().replace(/\s+/g, ' ').slice(0, MAX_NAME);

export const isSameName = (a: string, b: string): boolean =>
  cleanName(a).toLocaleLowerCase() === cleanName(b).toLocaleLowerCase();

/** Reads the searches of a person by name. Storage that is blocked or damaged has none. */
export function readSaved(storage: () => Pick<Storage, 'getItem'>, owner: Owner): readonly SavedSearch[] {
  try {
    const stored: unknown = JSON.parse(storage().getItem(keyOf(owner)) ?? '[]');
    return Array.isArray(stored) ? bounded(stored.flatMap(parse)) : [];
  } catch {
    return [];
  }
}

/** Stores the searches of a person. Throws if the browser does not store them. */
export function writeSaved(storage: () => Pick<Storage, 'setItem'>, owner: Owner, saved: readonly SavedSearch[]): void {
  storage().setItem(keyOf(owner), JSON.stringify(saved));
}

function parse(entry: unknown): readonly SavedSearch[] {
  if (!isRecord(entry)) return [];
  const { name, params } = entry;
  if (typeof name !== 'string' || typeof params !== 'string' || params.length > MAX_PARAMS) return [];
  const cleaned = cleanName(name);
  return cleaned === '' ? [] : [{ name: cleaned, params }];
}

function bounded(saved: readonly SavedSearch[]): readonly SavedSearch[] {
  return saved
    .filter(({ name }, at) => saved.findIndex((other) => isSameName(other.name, name)) === at)
    .slice(0, MAX_SAVED)
    .toSorted((a, b) => a.name.localeCompare(b.name));
}
