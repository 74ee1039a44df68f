/** A command of the launcher. */
export type LauncherCommand = 'start' | 'keys' | 'backup' | 'restore' | 'reindex' | 'models';

/** True in the published package `lectern`, which contains the launcher as JavaScript. */
const isPublished = import.meta.url.endsWith('.js');

/**
 * What a user types before the arguments of a command: `npm run keys --` in a checkout, and
 * `npx lectern keys` with the published package.
 */
export function programOf(command: Exclude<LauncherCommand, 'start'>): string {
  return isPublished ? `npx lectern ${command}` : `npm run ${command} --`;
}

/** What a user types to run a command, for usages and messages. */
export function commandLine(command: LauncherCommand, args = ''): string {
  if (command === 'start') return isPublished ? 'npx lectern start' : 'npm start';
  return args === '' ? programOf(command).replace(/ --$/, '') : `${programOf(command)} ${args}`;
}
