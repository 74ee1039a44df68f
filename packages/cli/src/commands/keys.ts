import type { Schemas } from '@lectern/sdk';
import { type Action, runAction } from '#action';
import { usageError } from '#cli-error';
import { LARGEST_PAGE, readAll, searchScope } from '#collections';
import type { CommandGroup, Parameter } from '#command';
import { oneLine } from '#output/plain-text';
import { plural } from '#output/plural';

type Right = Schemas['KeyRight'];

const RIGHTS: Readonly<Record<Right, true>> = {
  search: true,
  chat: true,
  'documents:read': true,
  'documents:write': true,
  connectors: true,
  agents: true,
  analytics: true,
  keys: true,
};
const RIGHT_NAMES = Object.keys(RIGHTS);

const isRight = (text: string): text is Right => Object.hasOwn(RIGHTS, text);

function parseRights(texts: readonly string[]): { readonly rights?: Right[] } {
  if (texts.length === 0) return {};
  const rights = texts.filter(isRight);
  if (rights.length === texts.length) return { rights };
  throw usageError(`--right must be one of ${RIGHT_NAMES.join(', ')}. Repeat it for several rights.`);
}

function stateOf({ revokedAt, expires_at }: Schemas['ApiKeyPair']): string {
  if (revokedAt !== null) return 'revoked';
  if (expires_at === null) return 'active';
  return Date.parse(expires_at) <= Date.now() ? 'expired' : `expires ${expires_at}`;
}

const list: Action = async (lectern, _args, { output, signal }) => {
  const pairs = await readAll(lectern.keys.list(LARGEST_PAGE, { signal }));
  for (const pair of pairs) {
    const { id, name, allow_all_collections, allowed_collections, rights, lastUsedAt } = pair;
    const facts = [
      stateOf(pair),
      allow_all_collections ? 'all collections' : plural(allowed_collections.length, 'collection'),
      rights.length === RIGHT_NAMES.length ? 'all rights' : rights.join(', '),
      lastUsedAt === null ? 'never used' : `used ${lastUsedAt}`,
      id,
    ];
    output.paragraph(`${oneLine(name)}  ${output.dim(facts.join(' · '))}`);
  }
  if (pairs.length === 0) output.line('No keys.');
  output.json(pairs);
};

type NewKeys = Pick<Schemas['NewApiKeyPair'], 'id' | 'publishableKey' | 'secretKey'>;

function printKeys({ publishableKey, secretKey }: NewKeys, print: (line: string) => void): void {
  print(`Publishable key: ${publishableKey}`);
  print(`Secret key:      ${secretKey}`);
}

const NOT_SHOWN_AGAIN = 'Store the secret key now. It cannot be shown again.';

const create: Action = async (lectern, args, { output, signal }) => {
  const { collections } = await searchScope(lectern, signal, args.texts('collection'));
  const expires = args.text('expires');
  const body = {
    name: args.positionals.join(' '),
    ...(collections === undefined
      ? { allow_all_collections: true }
      : { allow_all_collections: false, allowed_collections: collections }),
    ...parseRights(args.texts('right')),
    ...(expires === undefined ? {} : { expires_at: expires }),
    ...(args.texts('ip').length === 0 ? {} : { allowed_ips: [...args.texts('ip')] }),
  };
  const created = await lectern.keys.create(body, { signal });
  output.line(`Created the keys ${oneLine(created.name)} (${created.id}).`);
  printKeys(created, output.line);
  output.note(NOT_SHOWN_AGAIN);
  output.json(created);
};

function parseOverlap(text = '0'): number {
  const overlapSeconds = Number(text);
  if (Number.isInteger(overlapSeconds) && overlapSeconds >= 0) return overlapSeconds;
  throw usageError('--overlap must be a whole number of seconds.');
}

const rotate: Action = async (lectern, args, { output, signal }) => {
  const [id = ''] = args.positionals;
  const overlapSeconds = parseOverlap(args.text('overlap'));
  const rotated = await lectern.keys.rotate(id, { overlapSeconds }, { signal });
  output.line(
    overlapSeconds === 0
      ? 'The old keys no longer work.'
      : `The old keys work for another ${plural(overlapSeconds, 'second')}.`,
  );
  printKeys(rotated, output.line);
  output.note(NOT_SHOWN_AGAIN);
  output.json(rotated);
};

const revoke: Action = async (lectern, args, { output, signal }) => {
  const [id = ''] = args.positionals;
  const revoked = await lectern.keys.revoke(id, { signal });
  output.line(`Revoked the keys ${id}.`);
  output.json(revoked);
};

const PAIR: Parameter = { syntax: '<id>', description: 'the id of the pair; lectern keys list shows it' };

export const keys: CommandGroup = {
  name: 'keys',
  summary: 'Manage API keys',
  commands: [
    { name: 'list', summary: 'List the pairs of keys', run: runAction(list) },
    {
      name: 'create',
      summary: 'Create a publishable and a secret key',
      parameters: [{ syntax: '<name...>', description: 'a name for people' }],
      options: [
        { syntax: '--collection <name|id>', description: 'restrict the keys to this collection; repeatable' },
        {
          syntax: '--right <right>',
          description: `what the secret key may do; repeatable (default: all that your key may do): ${RIGHT_NAMES.join(', ')}`,
        },
        { syntax: '--ip <range>', description: 'an address or CIDR range that may use the keys; repeatable' },
        { syntax: '--expires <time>', description: 'when the keys expire, for example 2030-01-31T12:00:00Z' },
      ],
      run: runAction(create),
    },
    {
      name: 'rotate',
      summary: 'Replace a pair by new keys',
      parameters: [PAIR],
      options: [{ syntax: '--overlap <seconds>', description: 'how long the old keys keep working (default: 0)' }],
      run: runAction(rotate),
    },
    {
      name: 'revoke',
      summary: 'Disable a pair immediately and permanently',
      parameters: [PAIR],
      run: runAction(revoke),
    },
  ],
};
