import { readFile, stat, writeFile } from 'node:fs/promises';
import type { Lectern, Schemas } from '@lectern/sdk';
import { type Action, runAction } from '#action';
import { CliError } from '#cli-error';
import { collectionField, LARGEST_PAGE, readAll } from '#collections';
import type { Arguments, CommandGroup, Parameter } from '#command';
import { oneLine } from '#output/plain-text';
import { plural } from '#output/plural';

const MAX_FILE_BYTES = 4 * 1024 * 1024;

const sourceField = (args: Arguments) => {
  const source = args.text('source');
  return source === undefined ? {} : { source };
};

const ruleText = ({ input, terms }: Pick<Schemas['Synonym'], 'input' | 'terms'>): string =>
  oneLine(input.length === 0 ? terms.join(', ') : `${input.join(', ')} => ${terms.join(', ')}`);

const list: Action = async (lectern, args, shell) => {
  const { output, signal } = shell;
  const query = args.positionals.join(' ');
  const scope = { ...(await collectionField(lectern, signal, args.text('collection'))), ...sourceField(args) };
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
  const [file = ''] = args.positionals;
  const { size } = await stat(file);
  if (size > MAX_FILE_BYTES) throw new CliError(`${file} is larger than 4 MiB. Split it into several files.`);
  const text = await readFile(file, 'utf8');
  const body = file.endsWith('.json') ? { synonyms: parseJson(file, text) } : { text };
  const scope = await collectionField(lectern, signal, args.text('collection'));
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
  const [file] = args.positionals;
  const format = file?.endsWith('.json') ? 'json' : 'solr';
  const scope = { ...(await collectionField(lectern, signal, args.text('collection'))), ...sourceField(args) };
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
    const [name = ''] = args.positionals;
    const pack = await lectern.synonyms.updatePack(name, { enabled }, { signal });
    output.line(`The pack ${pack.name} is ${pack.enabled ? 'on' : 'off'}.`);
    output.json(pack);
  };

const COLLECTION: Parameter = {
  syntax: '--collection <name|id>',
  description: 'synonyms of this collection (default: of the whole team)',
};
const SOURCE: Parameter = {
  syntax: '--source <source>',
  description: 'only `custom` synonyms, or those of the pack with this name',
};
const PACK: Parameter = { syntax: '<pack>', description: 'the name of the pack; lectern synonyms packs lists them' };

export const synonyms: CommandGroup = {
  name: 'synonyms',
  summary: 'Manage synonyms and their packs',
  commands: [
    {
      name: 'list',
      summary: 'List synonyms',
      parameters: [{ syntax: '[text...]', description: 'only synonyms with a term that contains the text' }],
      options: [COLLECTION, SOURCE],
      run: runAction(list),
    },
    {
      name: 'import',
      summary: 'Create synonyms from a file; all or none',
      parameters: [
        {
          syntax: '<file>',
          description: 'one rule (`a, b c` or `a => b`) per line, or JSON if the name ends with .json',
        },
      ],
      options: [
        COLLECTION,
        { syntax: '--replace', description: 'delete the other custom synonyms of the collection or team' },
      ],
      run: runAction(importFile),
    },
    {
      name: 'export',
      summary: 'Print the synonyms, or write them to a file',
      parameters: [{ syntax: '[file]', description: 'the file to write; as JSON if its name ends with .json' }],
      options: [COLLECTION, SOURCE],
      run: runAction(exportAll),
    },
    { name: 'packs', summary: 'List the packs that ship with Lectern', run: runAction(listPacks) },
    { name: 'enable', summary: 'Switch a pack on', parameters: [PACK], run: runAction(switchPack(true)) },
    { name: 'disable', summary: 'Switch a pack off', parameters: [PACK], run: runAction(switchPack(false)) },
  ],
};
