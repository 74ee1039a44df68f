import type { z } from 'zod';
import type { Api } from '#api/api';
import { collection, connector } from '#api/records';
import { CliError } from '#cli-error';
import type { Output } from '#output/output';
import { oneLine } from '#output/plain-text';

/** Where files go. */
export interface UploadTarget {
  readonly collection: z.output<typeof collection>;
  readonly connector: z.output<typeof connector>;
}

async function ensureCollection(api: Api, wanted: string, output: Output) {
  const all = await api.all('/api/v1/collections', collection);
  const found = all.find(({ id }) => id === wanted) ?? all.find(({ name }) => name === wanted);
  if (found !== undefined) return found;
  if (wanted.startsWith('col_')) throw new CliError(`There is no collection ${wanted}.`, { code: 'not_found' });
  const body = { name: wanted };
  const made = await api.call('POST', '/api/v1/collections', collection.partial({ documentCount: true }), { body });
  output.note(`Made the collection ${oneLine(made.name)} (${made.id}).`);
  return { ...made, documentCount: 0 };
}

/** The collection of this name or id and an upload connector in it; what is not there yet is made. Throws `CliError`. */
export async function ensureUploadTarget(api: Api, wanted: string, output: Output): Promise<UploadTarget> {
  const into = await ensureCollection(api, wanted, output);
  const connectors = await api.all('/api/v1/connectors', connector);
  const found = connectors.find(({ type, collection }) => type === 'upload' && collection === into.id);
  if (found !== undefined) return { collection: into, connector: found };
  const body = { name: `Files of ${into.name}`.slice(0, 200), type: 'upload', collection: into.id };
  return { collection: into, connector: await api.call('POST', '/api/v1/connectors', connector, { body }) };
}
