import { createPathFilter } from '#settings/path-filter';

export interface FolderFilter {
  /** True for a folder to read; `paths` are its path in the language of the mailbox and in English. */
  isWanted(paths: readonly string[]): boolean;
  /** True if a pattern begins with the path of a folder, and so asks for that folder or one in it. */
  names(paths: readonly string[]): boolean;
}

const isUnwanted = (pattern: string): boolean => pattern.startsWith('!');

/** Creates the filter of the folders of mailboxes. Both paths of a folder count. */
export function createFolderFilter(patterns: readonly string[]): FolderFilter {
  const wanted = patterns.filter((pattern) => !isUnwanted(pattern));
  const matches = createPathFilter(wanted);
  const isAllowed = createPathFilter(patterns.filter(isUnwanted));
  return {
    isWanted: (paths) => paths.some(matches) && paths.every(isAllowed),
    names: (paths) =>
      wanted.some((pattern) => {
        const anchored = pattern.replace(/^\.?\/+/, '');
        return paths.some((path) => anchored === path || anchored.startsWith(`${path}/`));
      }),
  };
}
