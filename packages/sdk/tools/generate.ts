import { mkdir, writeFile } from 'node:fs/promises';
import { createDocument, operations } from '@lectern/api-spec';
import openapiTS, { astToString } from 'openapi-typescript';

/** Generates the API's types and routes from the OpenAPI document. */
const folder = new URL('../src/gen/', import.meta.url);

const document = createDocument(operations);
// The client does not send the requests of webhooks. Their bodies are schemas like any other.
const { webhooks: _, ...called } = document;
const types = astToString(await openapiTS(JSON.stringify(called), { alphabetize: true, defaultNonNullable: false }));

const acceptsIdempotencyKey = (operation: object | undefined): boolean =>
  JSON.stringify(operation ?? {}).includes('#/components/parameters/IdempotencyKey');

const routes = operations.map(({ id, method, path, access, stream }) => {
  const route = {
    method: method.toUpperCase(),
    path,
    // Publishable keys can only read.
    safe: method === 'get' || access === 'publishable',
    idempotencyKey: acceptsIdempotencyKey(document.paths[path]?.[method]),
    ...(stream === undefined ? {} : { terminal: stream.terminal, restartable: stream.restartable && method === 'get' }),
  };
  return `  ${id}: ${JSON.stringify(route)},`;
});

// `import type { Agent } from '@lectern/sdk'` instead of `Schemas['Agent']`.
const names = Object.keys(document.components.schemas)
  .sort()
  .map((name) => `export type ${name} = components['schemas']['${name}'];`);

await mkdir(folder, { recursive: true });
await writeFile(new URL('api.ts', folder), types);
await writeFile(new URL('names.ts', folder), `import type { components } from './api.ts';\n\n${names.join('\n')}\n`);
await writeFile(new URL('routes.ts', folder), `export const routes = {\n${routes.join('\n')}\n} as const;\n`);
