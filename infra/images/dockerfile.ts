/** An instruction of a Dockerfile. */
export interface Instruction {
  /** In capitals. */
  readonly word: string;
  /** The arguments, with continued lines joined. */
  readonly rest: string;
}

/** A stage of a Dockerfile. */
export interface Stage {
  /** The name after `AS`; empty for the last stage. */
  readonly name: string;
  readonly from: string;
  readonly instructions: readonly Instruction[];
}

/** A COPY from the context, or from a stage. */
export interface Copy {
  readonly stage: string | undefined;
  readonly sources: readonly string[];
  readonly target: string;
}

/**
 * Parses a Dockerfile (https://docs.docker.com/reference/dockerfile/). Does not support here-documents,
 * and no escapes except line continuations. `args` are the values of `--build-arg`, which override the
 * defaults of ARG. They are expanded everywhere except in RUN, where the shell expands them.
 */
export function parseDockerfile(text: string, args: Readonly<Record<string, string>>): readonly Stage[] {
  const known: Record<string, string> = { ...args };
  const stages: { name: string; from: string; instructions: Instruction[] }[] = [];
  for (const { word, rest } of parseInstructions(text)) {
    if (word === 'ARG') {
      const [name = '', value] = rest.split('=');
      if (value !== undefined) known[name] ??= value;
    }
    const expanded = word === 'RUN' ? rest : expandVariables(rest, known);
    if (word === 'FROM') {
      const [from = '', , name = ''] = expanded.split(/\s+/);
      stages.push({ name, from, instructions: [] });
    } else stages.at(-1)?.instructions.push({ word, rest: expanded });
  }
  return stages;
}

/** Parses the arguments of a COPY. Throws for flags other than `--from`. */
export function parseCopy(rest: string): Copy {
  const parts = rest.split(/\s+/);
  const flags = parts.filter((part) => part.startsWith('--'));
  const paths = parts.slice(flags.length);
  const [stage] = flags.map((flag) => {
    const [, name] = /^--from=(.+)$/.exec(flag) ?? [];
    if (name === undefined) throw new Error(`The image builder does not support COPY ${flag}.`);
    return name;
  });
  return { stage, sources: paths.slice(0, -1), target: paths.at(-1) ?? '' };
}

function parseInstructions(text: string): Instruction[] {
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*(#|$)/.test(line))
    .join('\n')
    .replaceAll(/\s*\\\n\s*/g, ' ')
    .split('\n');
  return lines.map((line) => {
    const [, word = '', rest = ''] = /^\s*(\w+)\s+(.*)$/.exec(line) ?? [];
    return { word: word.toUpperCase(), rest: rest.trim() };
  });
}

const expandVariables = (text: string, known: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\$\{?(\w+)\}?/g, (_whole, name: string) => known[name] ?? '');
