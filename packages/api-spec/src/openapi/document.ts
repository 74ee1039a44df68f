import type { Components, JsonSchema } from '#openapi/components';
import { describeOperation } from '#openapi/describe-operation';
import { ENVELOPE_SCHEMAS } from '#openapi/envelope';
import { errorComponents } from '#openapi/error-responses';
import { HEADERS, PARAMETERS } from '#openapi/headers';
import { linksOf } from '#openapi/links';
import type { OTHERS } from '#openapi/other-paths';
import { SECURITY_SCHEMES } from '#openapi/security';
import { tags } from '#openapi/tags';
import { webhooksOf } from '#openapi/webhooks';
import type { OperationSpec } from '#operation';

const DESCRIPTION = `Search, chat and agents over your own documents.

# Authentication

Send an API key as \`X-Service-Key\` or as \`Authorization: Bearer\`:

- A **secret key** (\`lectern_sk_…\`) is for servers. Its rights and its collections limit what it can do. Requests for one
  of your users also send the email address of the user as \`X-Service-User\`: they read only what the user may read.
- A **publishable key** (\`lectern_pk_…\`) is for web pages. It searches and reads, from the hosts that it allows.
- A **user token** (\`lectern_ut_…\`) is for the web page of one user. Create it on a server (\`POST /api/v1/user-tokens\`).

Create keys in the console under *Keys*, or with \`POST /api/v1/api-keys\`. The page \`/docs\` can also send
requests with your session: sign in to the console in the same browser and choose no key.

The least role of a person and the right of a key are in the description of each operation. A missing or unknown key
returns 401, a missing right 403, and a record of another team 404.

# Conventions

Responses are JSON: a success has \`data\` and \`meta\`,
a failure has \`error\` and \`meta\`. Lists accept \`page\` and \`limit\`; their \`meta\` contains \`total\` and \`hasMore\`. PUT
changes only the fields in the body. You can also send the complete record as GET returns it. Later versions can add
fields to responses.

Field names are camelCase, with these exceptions in snake_case: the settings of API keys (for example
\`allowed_collections\`), the body of a sync (for example \`sync_mode\`), and \`answer_confidence\`. Error codes, the names of
stream events and the names of agent tools are snake_case too.

# Errors

A failure has \`error.code\`, \`error.message\` and, for invalid input, \`error.details\` with the path of each wrong field.
Programs should use the code; the text can change. \`X-Request-Id\` names the request in the logs. After 429 and 503, wait
for the seconds in \`Retry-After\`. A POST request with a key, except a stream, accepts an \`Idempotency-Key\`:
repeat it after a lost connection, and it runs once.

# Versions

The API follows semantic versioning. Fields, events and error details can be added at any time: ignore unknown ones. What
is deprecated is marked here, and works for at least six months.

# Limits

Every path supports OPTIONS, and HEAD if it supports GET. For any other method, the response is 405 \`method_not_allowed\`
with an \`Allow\` header. For an unknown path, it is 404 \`not_found\`.

Texts contain neither the character U+0000 nor half a surrogate pair, and their lengths are in UTF-16 units.

A JSON body has at most 256 KiB after decoding its \`Content-Encoding\`, 10,000 values, 2,000 property names and 20 levels.
Bodies with long lists or settings have at most 4 MiB, a document or a batch of documents 32 MiB, both with 50,000 values
and 15,000 names. An error reports at most 20 issues.`;

/**
 * Builds the OpenAPI 3.1 document from operations, and from other paths that are already in
 * OpenAPI.
 */
export function createDocument(
  operations: readonly OperationSpec[],
  others: typeof OTHERS = { paths: {}, schemas: {} },
): OpenApiDocument {
  const components: Components = new Map(Object.entries({ ...ENVELOPE_SCHEMAS, ...others.schemas }));
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const path = paths[operation.path] ?? {};
    path[operation.method] = describeOperation(operation, components, linksOf(operation, operations));
    paths[operation.path] = path;
  }
  const webhooks = webhooksOf(components);
  const schemas = [...components].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lectern',
      version: '1.0.0',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This installation' }],
    tags,
    paths: { ...paths, ...others.paths },
    webhooks,
    components: {
      schemas: Object.fromEntries(schemas),
      responses: errorComponents(),
      headers: HEADERS,
      parameters: PARAMETERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

/** The parts of an OpenAPI document that Lectern uses. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly license: object;
  };
  readonly servers: readonly object[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: object;
    readonly headers: object;
    readonly parameters: object;
    readonly securitySchemes: object;
  };
}
