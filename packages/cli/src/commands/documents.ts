import type { Schemas } from '@lectern/sdk';
import { type Action, runAction } from '#action';
import { CliError, usageError } from '#cli-error';
import { collectionNotFound, findCollection, LARGEST_PAGE, readAll } from '#collections';
import type { CommandGroup } from '#command';
import { oneLine, plainText } from '#output/plain-text';
import { plural } from '#output/plural';

type Status = Schemas['DocumentStatus'];

const STATUSES: readonly Status[] = ['pending', 'processing', 'indexed', 'failed'];

const list: Action = async (lectern, args, { output, signal }) => {
  const nameOrId = args.text('collection');
  if (nameOrId === undefined) {
    throw usageError('Name the collection with --collection. List the collections with: lectern status');
  }
  const collection = await findCollection(lectern, signal, nameOrId);
  if (collection === undefined) throw collectionNotFound(nameOrId);
  const status = STATUSES.find((known) => known === args.text('status'));
  const query = { ...LARGEST_PAGE, ...(status === undefined ? {} : { status }) };
  const documents = await readAll(lectern.documents.list(collection.id, query, { signal }));
  for (const { id, title, status: state, type, error } of documents) {
    output.paragraph(`${oneLine(title)}  ${output.dim([state, oneLine(type), id].join(' · '))}`);
    if (error !== null) output.paragraph(oneLine(error.message), '  ');
  }
  if (documents.length === 0) output.line('No documents.');
  output.json(documents);
};

const show: Action = async (lectern, args, { output, signal }) => {
  const [id = ''] = args.positionals;
  const [document, { content }] = await Promise.all([
    lectern.documents.get(id, { signal }),
    lectern.documents.content(id, { signal }),
  ]);
  const { title, url, status, type, principals } = document;
  output.paragraph(output.bold(oneLine(title)));
  output.paragraph(output.dim([status, oneLine(type), ...(url === null ? [] : [oneLine(url)]), id].join(' · ')));
  if (principals !== null) output.paragraph(output.dim(`Readers: ${principals.map(oneLine).join(', ') || 'no one'}`));
  output.line();
  output.line(plainText(content).trimEnd());
  output.json({ ...document, content });
};

const remove: Action = async (lectern, args, { output, signal }) => {
  const deleted: string[] = [];
  try {
    for (const id of args.positionals) {
      await lectern.documents.delete(id, { signal });
      deleted.push(id);
    }
  } catch (error) {
    if (deleted.length === 0) throw error;
    const message = `Deleted ${deleted.join(', ')}, then stopped: ${error instanceof Error ? error.message : error}`;
    throw new CliError(message, { cause: error });
  }
  output.line(`Deleted ${plural(deleted.length, 'document')}.`);
  output.json({ deleted });
};

export const documents: CommandGroup = {
  name: 'documents',
  summary: 'List, show and delete documents',
  commands: [
    {
      name: 'list',
      summary: 'List the documents of a collection, newest first',
      options: [
        { syntax: '--collection <name|id>', description: 'the collection' },
        { syntax: '--status <status>', description: 'only documents with this status', choices: STATUSES },
      ],
      run: runAction(list),
    },
    {
      name: 'show',
      summary: 'Show a document and its text',
      parameters: [{ syntax: '<id>', description: 'the id of the document' }],
      run: runAction(show),
    },
    {
      name: 'delete',
      summary: 'Delete documents',
      parameters: [{ syntax: '<id...>', description: 'the ids of the documents' }],
      run: runAction(remove),
    },
  ],
};
