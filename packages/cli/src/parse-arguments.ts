import { parseArgs } from 'node:util';
import { usageError } from '#cli-error';
import type { Arguments, Command } from '#command';

/** Parses the arguments of a command. Throws `CliError` for unknown options. */
export function parseArguments({ name, options }: Command, args: readonly string[]): Arguments {
  const config = { ...options, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({ args: [...args], options: config, allowPositionals: true, strict: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : 'Invalid arguments';
    throw usageError(`${message.replace(/\. .*$/s, '')}. See: lectern ${name} --help`);
  }
  const all = (option: string) => [parsed.values[option] ?? []].flat();
  const texts = (option: string) => all(option).filter((value) => typeof value === 'string');
  return {
    positionals: parsed.positionals,
    texts,
    text: (option) => texts(option).at(-1),
    flag: (option) => all(option).includes(true),
  };
}
