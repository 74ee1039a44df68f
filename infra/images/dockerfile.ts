/** An instruction of a Dockerfile in capitals, and its arguments with continued lines joined. */
export interface Instruction {
  readonly word: string;
  readonly rest: string;
}

/** A stage of a Dockerfile. */
export interface Stage {
  /** The name after `AS`; empty for the last stage. */
  readonly name: string;
  readonly from: string;
  readonly instructions: readonly Instruction[];
}

/** A copy from the context, or from a stage. */
export interface Copy {
  readonly stage: string | undefined;
  readonly sources: readonly string[];
  readonly target: string;
}

/**
 * Parses a Dockerfile (https://docs.docker.com/reference/dockerfile/) without here-documents and escapes
 * except line continuations. `args` are the values of `--build-arg`, which override the defaults of ARG.
 * They are replaced everywhere except in RUN, where the shell does it.
 */
export function parseDockerfile(text: string, args: Readonly<Record<string, string>>): readonly Stage[] {
  const known: Record<string, string> = { ...args };
  const stages: { name: string; from: string; instructions: Instruction[] }[] = [];
  for (const { word, rest } of instructionsOf(text)) {
    if (word === 'ARG') {
      const [name = '', value] = rest.split('=');
      if (value !== undefined) known[name] ??= value;
    }
    const filled = word === 'RUN' ? rest : fillIn(rest, known);
    if (word === 'FROM') {
      const [from = '', , name = ''] = filled.split(/\s+/);
      stages.push({ name, from, instructions: [] });
    } else stages.at(-1)?.instructions.push({ word, rest: filled });
  }
  return stages;
}

/** The source and target of a COPY. Throws for flags other than `--from`. */
export function copyOf(rest: string): Copy {
  const parts = rest.split(/\s+/);
  const flags = parts.filter((part) => part.startsWith('--'));
  const paths = parts.slice(flags.length);
  const [stage] = flags.map((flag) => {
    const [, name] = /^--from=(.+)$/.exec(flag) ?? [];
    if (name === undefined) throw new Error(`COPY ${flag} is not supported here`);
    return name;
  });
  return { stage, sources: paths.slice(0, -1), target: paths.at(-1) ?? '' };
}

function instructionsOf(text: string): Instruction[] {
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

const fillIn = (text: string, known: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\$\{?(\w+)\}?/g, (_whole, name: string) => known[name] ?? '');
