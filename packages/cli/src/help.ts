import type { Command } from '#command';
import { COMMANDS } from '#commands';

const COMMON = [
  ['--json', 'print the result as JSON'],
  ['--help', 'show this help'],
] as const;

function rows(pairs: readonly (readonly [string, string])[]): string {
  const width = Math.max(...pairs.map(([left]) => left.length));
  return pairs.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

/** Returns the help of the program. */
export function programHelp(): string {
  const commands = COMMANDS.map(({ name, summary }) => [name, summary] as const);
  return `Usage: lectern COMMAND …

${rows(commands)}

To start, run lectern login, then lectern upload ./handbook.
Run lectern COMMAND --help for help on a command. Add --json to print results as JSON.
LECTERN_URL and LECTERN_KEY override the saved login.

Exit codes: 0 success, 1 failure, 2 invalid command line, 3 permission denied, 4 server not available,
5 sync or import ended with errors, 130 interrupted by Ctrl-C.
`;
}

/** Returns the help of a command. */
export function commandHelp({ name, usage, summary, help }: Command): string {
  return `Usage: lectern ${name} ${usage}\n\n${summary}.\n\n${rows([...help, ...COMMON])}\n`;
}
