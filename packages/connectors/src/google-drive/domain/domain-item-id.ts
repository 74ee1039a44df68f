/**
 * Where a file is: in a user's own drive or in a shared drive. Drive finds a file only for users
 * who can open it, so that the id of an item includes whom to act as.
 */
export interface DomainItem {
  readonly kind: 'user' | 'drive';
  /** The id of the user in the directory, or of the shared drive. */
  readonly place: string;
  readonly file: string;
}

/** Returns `user/<user>/<file>` or `drive/<drive>/<file>`. */
export const formatItemId = ({ kind, place, file }: DomainItem): string => `${kind}/${place}/${file}`;

export function parseItemId(id: string): DomainItem | undefined {
  const [, kind, place, file] = /^(user|drive)\/([^/]+)\/([^/]+)$/.exec(id) ?? [];
  if (place === undefined || file === undefined) return undefined;
  return { kind: kind === 'user' ? 'user' : 'drive', place, file };
}
