import type { Command } from '#command';
import { COMMANDS } from '#commands';

const COMMON = [
  ['--json', 'print the result as JSON'],
  ['--help', 'show this'],
] as const;

function rows(pairs: readonly (readonly [string, string])[]): string {
  const width = Math.max(...pairs.map(([left]) => left.length));
  return pairs.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

/** What the program can do. */
export function programHelp(): string {
  const commands = COMMANDS.map(({ name, summary }) => [name, summary] as const);
  return `Usage: lectern COMMAND …

${rows(commands)}

Begin with: lectern login, then lectern upload ./handbook. Each command has its --help; --json prints results for programs.
LECTERN_URL and LECTERN_KEY are used before what login kept.

Exit codes: 0 done, 1 failed, 2 command line not understood, 3 not allowed, 4 not reachable, 5 a sync ended with errors, 130 Ctrl-C.
`;
}

/** How a command is used. */
export function commandHelp({ name, usage, summary, help }: Command): string {
  return `Usage: lectern ${name} ${usage}\n\n${summary}.\n\n${rows([...help, ...COMMON])}\n`;
}
