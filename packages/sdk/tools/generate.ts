import { mkdir, writeFile } from 'node:fs/promises';
import { createDocument, operations } from '@lectern/gateway/openapi';
import openapiTS, { astToString } from 'openapi-typescript';

/** Writes the types of the API, and its routes, from what the gateway serves as its description. */
const folder = new URL('../src/gen/', import.meta.url);

const document = createDocument(operations);
const types = astToString(await openapiTS(JSON.stringify(document), { alphabetize: true, defaultNonNullable: false }));

const takesIdempotencyKey = (described: object | undefined): boolean =>
  JSON.stringify(described ?? {}).includes('#/components/parameters/IdempotencyKey');

const routes = operations.map(({ id, method, path, access, stream }) => {
  const route = {
    method: method.toUpperCase(),
    path,
    // What a publishable key may do changes nothing.
    safe: method === 'get' || access === 'publishable',
    idempotencyKey: takesIdempotencyKey(document.paths[path]?.[method]),
    ...(stream === undefined ? {} : { terminal: stream.terminal, askAgain: stream.resumable && method === 'get' }),
  };
  return `  ${id}: ${JSON.stringify(route)},`;
});

await mkdir(folder, { recursive: true });
await writeFile(new URL('api.ts', folder), types);
await writeFile(new URL('routes.ts', folder), `export const routes = {\n${routes.join('\n')}\n} as const;\n`);
