import { readFile, stat, writeFile } from 'node:fs/promises';
import type { Lectern, Schemas } from '@lectern/sdk';
import { CliError, usageError } from '#cli-error';
import { LARGEST_PAGE, readAll, searchScope } from '#collections';
import type { Arguments, Command, Shell } from '#command';
import { connectWithAccount } from '#connect';
import { EXIT } from '#exit-code';
import { oneLine } from '#output/plain-text';
import { plural } from '#output/plural';

type Action = (lectern: Lectern, args: Arguments, shell: Shell) => Promise<void>;

const USAGE = 'list [TEXT] | import FILE | export [FILE] | packs | enable PACK | disable PACK';
const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** Returns the `collection` field of a request; empty without `--collection`. */
async function collectionField(lectern: Lectern, args: Arguments, { signal }: Shell) {
  const name = args.text('collection');
  if (name === undefined) return {};
  const { collections = [] } = await searchScope(lectern, signal, [name]);
  return { collection: collections[0] ?? name };
}

const sourceField = (args: Arguments) => {
  const source = args.text('source');
  return source === undefined ? {} : { source };
};

const ruleText = ({ input, terms }: Pick<Schemas['Synonym'], 'input' | 'terms'>): string =>
  oneLine(input.length === 0 ? terms.join(', ') : `${input.join(', ')} => ${terms.join(', ')}`);

const list: Action = async (lectern, args, shell) => {
  const { output, signal } = shell;
  const query = args.positionals.slice(1).join(' ');
  const scope = { ...(await collectionField(lectern, args, shell)), ...sourceField(args) };
  const found = await readAll(
    lectern.synonyms.list({ ...LARGEST_PAGE, ...scope, ...(query === '' ? {} : { query }) }, { signal }),
  );
  for (const synonym of found) {
    const facts = [synonym.source, ...(synonym.enabled ? [] : ['off']), synonym.id];
    output.line(`${ruleText(synonym)}  ${output.dim(facts.join(' · '))}`);
  }
  if (found.length === 0) output.line('No synonyms.');
  output.json(found);
};

const importFile: Action = async (lectern, args, shell) => {
  const { output, signal } = shell;
  const file = args.positionals[1];
  if (file === undefined) throw usageError('Name the file to import. Usage: lectern synonyms import FILE');
  const { size } = await stat(file);
  if (size > MAX_FILE_BYTES) throw new CliError(`${file} is larger than 4 MiB. Split it into several files.`);
  const text = await readFile(file, 'utf8');
  const body = file.endsWith('.json') ? { synonyms: parseJson(file, text) } : { text };
  const scope = await collectionField(lectern, args, shell);
  const result = await lectern.synonyms.import({ ...body, ...scope, replace: args.flag('replace') }, { signal });
  const { created, unchanged, deleted } = result;
  output.line(`Imported ${plural(created, 'synonym')}; ${unchanged} existed already, ${deleted} deleted.`);
  output.json(result);
};

type Imported = NonNullable<Parameters<Lectern['synonyms']['import']>[0]['synonyms']>;

/** The server checks the items. */
function parseJson(file: string, text: string): Imported {
  try {
    const parsed: unknown = JSON.parse(text);
    const items: unknown =
      typeof parsed === 'object' && parsed !== null && 'synonyms' in parsed ? parsed.synonyms : parsed;
    if (Array.isArray(items)) return items;
  } catch {
    // Reported below.
  }
  throw new CliError(`${file} does not contain a JSON list of synonyms, as \`lectern synonyms export\` writes it.`);
}

const exportAll: Action = async (lectern, args, shell) => {
  const { output, signal } = shell;
  const file = args.positionals[1];
  const format = file?.endsWith('.json') ? 'json' : 'solr';
  const scope = { ...(await collectionField(lectern, args, shell)), ...sourceField(args) };
  const exported = await lectern.synonyms.export({ format, ...scope }, { signal });
  const text = exported.text ?? `${JSON.stringify(exported.synonyms, null, 2)}\n`;
  if (file === undefined) output.line(text.trimEnd());
  else {
    await writeFile(file, text);
    output.line(`Wrote ${plural(exported.count, 'synonym')} to ${file}.`);
  }
  output.json(exported);
};

const listPacks: Action = async (lectern, _args, { output, signal }) => {
  const packs = await lectern.synonyms.listPacks({ signal });
  for (const { name, language, enabled, synonymCount } of packs) {
    output.line(
      `${name}  ${output.dim(`${language} · ${plural(synonymCount, 'synonym')} · ${enabled ? 'on' : 'off'}`)}`,
    );
  }
  output.json(packs);
};

const switchPack =
  (enabled: boolean): Action =>
  async (lectern, args, { output, signal }) => {
    const name = args.positionals[1];
    if (name === undefined) throw usageError('Name the pack. List the packs with: lectern synonyms packs');
    const pack = await lectern.synonyms.updatePack(name, { enabled }, { signal });
    output.line(`The pack ${pack.name} is ${pack.enabled ? 'on' : 'off'}.`);
    output.json(pack);
  };

const ACTIONS: Readonly<Record<string, Action>> = {
  list,
  import: importFile,
  export: exportAll,
  packs: listPacks,
  enable: switchPack(true),
  disable: switchPack(false),
};

export const synonyms: Command = {
  name: 'synonyms',
  summary: 'List, import and export synonyms, and switch packs on or off',
  usage: `${USAGE} [--collection NAME|ID] [--source SOURCE] [--replace]`,
  options: {
    collection: { type: 'string' },
    source: { type: 'string' },
    replace: { type: 'boolean' },
  },
  help: [
    ['list [TEXT]', 'list synonyms, or those with a term that contains the text'],
    ['import FILE', 'import rules (`a, b c` or `a => b`, one per line), or a .json file; all or none'],
    ['export [FILE]', 'print the synonyms, or write them to a file; as JSON if its name ends with .json'],
    ['packs', 'list the packs that ship with Lectern'],
    ['enable PACK, disable PACK', 'switch a pack on or off'],
    ['--collection NAME|ID', 'synonyms of this collection (default: of the whole team)'],
    ['--source SOURCE', 'list, export: only `custom` synonyms, or those of a pack'],
    ['--replace', 'import: delete the other custom synonyms of the collection or team'],
  ],
  run: async (args, shell) => {
    const action = Object.hasOwn(ACTIONS, args.positionals[0] ?? '') ? ACTIONS[args.positionals[0] ?? ''] : undefined;
    if (action === undefined) throw usageError(`Usage: lectern synonyms ${USAGE}`);
    await action(await connectWithAccount(shell), args, shell);
    return EXIT.ok;
  },
};
