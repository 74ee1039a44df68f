import { readFile, stat, writeFile } from 'node:fs/promises';
import type { Lectern } from '@lectern/sdk';
import { type Action, runAction } from '#action';
import { CliError } from '#cli-error';
import { collectionField, LARGEST_PAGE, readAll } from '#collections';
import type { CommandGroup, Parameter } from '#command';
import { oneLine } from '#output/plain-text';
import { plural } from '#output/plural';

type Imported = Parameters<Lectern['searchRules']['import']>[0]['rules'];

const MAX_FILE_BYTES = 4 * 1024 * 1024;

const list: Action = async (lectern, args, shell) => {
  const { output, signal } = shell;
  const query = args.positionals.join(' ');
  const scope = await collectionField(lectern, signal, args.text('collection'));
  const found = await readAll(
    lectern.searchRules.list({ ...LARGEST_PAGE, ...scope, ...(query === '' ? {} : { query }) }, { signal }),
  );
  for (const { id, query: words, match, pins, hides, enabled } of found) {
    const facts = [
      match,
      ...(pins.length === 0 ? [] : [`pins ${plural(pins.length, 'document')}`]),
      ...(hides.length === 0 ? [] : [`hides ${plural(hides.length, 'document')}`]),
      ...(enabled ? [] : ['off']),
      id,
    ];
    output.line(`${oneLine(words)}  ${output.dim(facts.join(' · '))}`);
  }
  if (found.length === 0) output.line('No search rules.');
  output.json(found);
};

const importFile: Action = async (lectern, args, shell) => {
  const { output, signal } = shell;
  const [file = ''] = args.positionals;
  const { size } = await stat(file);
  if (size > MAX_FILE_BYTES) throw new CliError(`${file} is larger than 4 MiB. Split it into several files.`);
  const rules = parseRules(file, await readFile(file, 'utf8'));
  const scope = await collectionField(lectern, signal, args.text('collection'));
  const result = await lectern.searchRules.import({ rules, ...scope, replace: args.flag('replace') }, { signal });
  const { created, updated, unchanged, deleted } = result;
  output.line(
    `Imported ${plural(created, 'new rule')}; ${updated} changed, ${unchanged} existed already, ${deleted} deleted.`,
  );
  output.json(result);
};

/** The server checks the items. */
function parseRules(file: string, text: string): Imported {
  try {
    const parsed: unknown = JSON.parse(text);
    const rules: unknown = typeof parsed === 'object' && parsed !== null && 'rules' in parsed ? parsed.rules : parsed;
    if (Array.isArray(rules)) return rules;
  } catch {
    // Reported below.
  }
  throw new CliError(`${file} does not contain a JSON list of search rules, as \`lectern rules export\` writes it.`);
}

const exportAll: Action = async (lectern, args, shell) => {
  const { output, signal } = shell;
  const [file] = args.positionals;
  const exported = await lectern.searchRules.export(await collectionField(lectern, signal, args.text('collection')), {
    signal,
  });
  const text = JSON.stringify(exported.rules, null, 2);
  if (file === undefined) output.line(text);
  else {
    await writeFile(file, `${text}\n`);
    output.line(`Wrote ${plural(exported.rules.length, 'rule')} to ${file}.`);
  }
  output.json(exported);
};

const COLLECTION: Parameter = {
  syntax: '--collection <name|id>',
  description: 'rules of this collection (default: of the whole team)',
};

export const rules: CommandGroup = {
  name: 'rules',
  summary: 'Manage the rules that pin and hide documents in searches',
  commands: [
    {
      name: 'list',
      summary: 'List rules',
      parameters: [{ syntax: '[text...]', description: 'only rules whose words contain the text' }],
      options: [COLLECTION],
      run: runAction(list),
    },
    {
      name: 'import',
      summary: 'Create or change rules from a file; all or none',
      parameters: [{ syntax: '<file>', description: 'a JSON file' }],
      options: [COLLECTION, { syntax: '--replace', description: 'delete the other rules of the collection or team' }],
      run: runAction(importFile),
    },
    {
      name: 'export',
      summary: 'Print the rules as JSON, or write them to a file',
      parameters: [{ syntax: '[file]', description: 'the file to write' }],
      options: [COLLECTION],
      run: runAction(exportAll),
    },
  ],
};
