import { type Command, type CommandGroup, HELP_OPTION, JSON_OPTION, type Parameter } from '#command';

/** The shells that have completions. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type ShellName = (typeof SHELLS)[number];

type Commands = readonly (Command | CommandGroup)[];

/** What can follow some words of a command line. */
interface Node {
  /** The words, without the name of the program. */
  readonly path: readonly string[];
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly Parameter[];
  /** Values of the first positional argument. */
  readonly choices: readonly string[];
}

function nodesOf(commands: Commands, path: readonly string[] = []): readonly Node[] {
  const nodes = commands.flatMap((command): readonly Node[] => {
    const inner = [...path, command.name];
    if ('commands' in command) return nodesOf(command.commands, inner);
    const options = [...(command.options ?? []), JSON_OPTION, HELP_OPTION];
    return [{ path: inner, commands: [], options, choices: command.parameters?.[0]?.choices ?? [] }];
  });
  return [{ path, commands, options: [], choices: [] }, ...nodes];
}

const longOption = ({ syntax }: Parameter): string => /--[\w-]+/.exec(syntax)?.[0] ?? '';
/** Quotes a text for bash, zsh and fish. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The function for bash. Where a command expects a file, bash completes file names. */
function bashScript(nodes: readonly Node[]): string {
  const known = nodes.filter(({ path }) => path.length > 0).map(({ path }) => quote(path.join(' ')));
  const cases = nodes.map(({ path, commands, options, choices }) => {
    const words = commands.length > 0 ? commands.map(({ name }) => name) : choices;
    const flags = path.length === 0 ? ['--help', '--version'] : options.map(longOption);
    return `    ${quote(path.join(' '))}) words=${quote(words.join(' '))} flags=${quote(flags.join(' '))} ;;`;
  });
  const values = nodes.flatMap(({ path, options }) =>
    options.flatMap((option) =>
      option.choices === undefined
        ? []
        : [
            `    ${quote([...path, longOption(option)].join(' '))}) words=${quote(option.choices.join(' '))} flags='' ;;`,
          ],
    ),
  );
  return `_lectern() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path='' words='' flags='' at
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "\${path:+$path }\${COMP_WORDS[at]}" in
      ${known.join('|')}) path="\${path:+$path }\${COMP_WORDS[at]}" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  case "$path $previous" in
${values.join('\n')}
  esac
  [[ "$current" == -* ]] && words="$flags"
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _lectern lectern
`;
}

/** The commands for fish, with descriptions. */
function fishScript(nodes: readonly Node[]): string {
  const lines = nodes.flatMap(({ path, commands, options, choices }) => {
    const names = commands.map(({ name }) => name).join(' ');
    const condition =
      path.length === 0
        ? '__fish_use_subcommand'
        : [
            ...path.map((word) => `__fish_seen_subcommand_from ${word}`),
            ...(names === '' ? [] : [`not __fish_seen_subcommand_from ${names}`]),
          ].join('; and ');
    const start = `complete -c lectern -n ${quote(condition)}`;
    return [
      ...commands.map(({ name, summary }) => `${start} -f -a ${name} -d ${quote(summary)}`),
      ...(choices.length === 0 ? [] : [`${start} -f -a ${quote(choices.join(' '))}`]),
      ...options.map((option) => {
        const takesValue = option.syntax.includes('<');
        const values = option.choices === undefined ? '' : ` -f -a ${quote(option.choices.join(' '))}`;
        const long = longOption(option).slice(2);
        return `${start} -l ${long}${takesValue ? ' -r' : ''}${values} -d ${quote(option.description)}`;
      }),
    ];
  });
  return `${lines.join('\n')}\n`;
}

/**
 * Returns the script that completes command lines in a shell. It is static: completing a word starts
 * no program. The libraries for completions disable the completion of file names, which `upload` needs.
 */
export function completionScript(shell: ShellName, commands: Commands): string {
  const nodes = nodesOf(commands);
  if (shell === 'fish') return fishScript(nodes);
  // zsh runs completions that were written for bash.
  return shell === 'zsh' ? `autoload -Uz bashcompinit && bashcompinit\n${bashScript(nodes)}` : bashScript(nodes);
}
