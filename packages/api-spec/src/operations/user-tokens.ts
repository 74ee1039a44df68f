import { z } from 'zod';
import { jsonBody } from '#body';
import { EXAMPLE_TIME, exampleId, ids, ownId, text, timestamp } from '#fields';
import { none, one, operation } from '#operation';
import { email } from '#operations/people';
import { searchFilters } from '#operations/search';
import { TOKEN_RIGHTS } from '#roles';

const MIN_SECONDS = 60;
const MAX_SECONDS = 86_400;
const DEFAULT_SECONDS = 3_600;

const right = z.enum(TOKEN_RIGHTS).meta({
  id: 'UserTokenRight',
  description: 'A right of a user token: `search` to search and to read collections and documents, or `chat`.',
});

const RIGHT_LIST = { description: 'What the token may do.' };
const COLLECTIONS = 'The collections that the token can access. Null for all collections of the key.';
const FILTERS =
  'Conditions that every document must meet. They apply to all searches, counts, chats and reads with the token, in addition to what the user may read.';

const newTokenBody = z
  .strictObject({
    user: email.meta({ description: 'The email address of the user, as in `X-Service-User`.' }),
    collections: ids
      .min(1, 'must name at least one collection; omit it for all collections of the key')
      .optional()
      .meta({ description: 'Ids of the collections that the token can access. Omit it for all of the key.' }),
    filters: searchFilters.optional().meta({ description: FILTERS }),
    rights: z
      .array(right)
      .min(1, 'must have at least one right')
      .max(TOKEN_RIGHTS.length)
      .default(['search'])
      .transform((rights) => TOKEN_RIGHTS.filter((name) => rights.includes(name)))
      .meta(RIGHT_LIST),
    expiresIn: z
      .int()
      .min(MIN_SECONDS)
      .max(MAX_SECONDS)
      .default(DEFAULT_SECONDS)
      .meta({ description: 'Seconds until the token expires.' }),
  })
  .meta({
    examples: [{ user: 'ada@example.com', filters: { 'metadata.department': 'HR' }, rights: ['search', 'chat'] }],
  });

const tokenSchema = z
  .object({
    id: ownId('userToken'),
    token: text('The token. Shown only in this response. Web pages send it like a key.'),
    user: text('The email address of the user, in lower case.'),
    collections: z.array(z.string()).nullable().meta({ description: COLLECTIONS }),
    filters: searchFilters.nullable().meta({ description: FILTERS }),
    rights: z.array(right).meta(RIGHT_LIST),
    expiresAt: timestamp('When the token expires.'),
  })
  .meta({
    id: 'UserToken',
    description: 'A token for the web page of one user.',
    examples: [
      {
        id: exampleId('userToken'),
        token: 'lectern_ut_…',
        user: 'ada@example.com',
        collections: null,
        filters: { 'metadata.department': 'HR' },
        rights: ['search', 'chat'],
        expiresAt: EXAMPLE_TIME,
      },
    ],
  });

export const createUserToken = operation({
  id: 'createUserToken',
  method: 'post',
  path: '/api/v1/user-tokens',
  summary: 'Create a user token',
  description:
    'Creates a short-lived token that a web page uses in place of a key. Requests with it are those of the user, limited to the collections, the filters and the rights of the token, and never do more than the key that created it. It stops working when it expires, or within 5 seconds after its key is revoked or rotated out. The allowed hosts, referers and addresses of the key pair apply to it.',
  access: 'secret',
  params: none,
  query: none,
  body: jsonBody(newTokenBody),
  success: 201,
  response: one(tokenSchema),
  returnsSecret: true,
});
