import { readdir, readFile } from 'node:fs/promises';
import { createDocument, operations, SDK_RESOURCES } from '@lectern/api-spec';
import type { Located } from '#methods';
import { fillResources, renderResources } from '#resources-module';
import { renderRoutes } from '#routes-module';
import type { Operation, Schemas } from '#schema';
import { renderTypes } from '#types-module';
import { unasync } from '#unasync';

/** The files that are written by hand. */
const SOURCES = new URL('../python/lectern_sdk/', import.meta.url);

const METHODS = ['get', 'post', 'put', 'delete', 'patch'];

/** Renders the Python package `lectern_sdk`: the text of each file by its path in the package. */
export async function renderPackage(version: string): Promise<ReadonlyMap<string, string>> {
  // The generator reads the document as any other client would.
  const document: { paths: Record<string, Record<string, Operation>>; components: { schemas: Schemas } } = JSON.parse(
    JSON.stringify(createDocument(operations)),
  );
  const { schemas } = document.components;
  const located = new Map<string, Located>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const { operationId } = operation;
      if (METHODS.includes(method) && operationId !== undefined) located.set(operationId, { path, operation });
    }
  }
  const ids = operations.map(({ id }) => id);
  const described = ids.flatMap((id) => located.get(id)?.operation ?? []);
  const files = new Map([
    ['types.py', renderTypes(schemas, described)],
    ['_routes.py', renderRoutes(operations)],
    ['_version.py', `"""The version of the package. Generated."""\n\nVERSION = ${JSON.stringify(version)}\n`],
    ['_async/_resources.py', renderResources(SDK_RESOURCES, located, schemas)],
  ]);
  for (const path of await readdir(SOURCES, { recursive: true })) {
    if (!/\.(py|typed)$/.test(path)) continue;
    const text = await readFile(new URL(path, SOURCES), 'utf8');
    files.set(path, fillResources(text, SDK_RESOURCES));
  }
  for (const [path, text] of [...files]) {
    const target = path.replace(/^_async\//, '_sync/');
    if (target !== path && !files.has(target)) files.set(target, unasync(text));
  }
  return files;
}
