import type { S3Server } from '@lectern/testing';
import { z } from 'zod';
import type { Api } from '#system/api';

const WORDS = 'river stone market window garden letter morning bridge paper winter harbor engine silver forest'.split(
  ' ',
);

/** About 100 words, one of which is unique. */
export function reportText(index: number, revision: number): string {
  const words = Array.from({ length: 100 }, (_, at) => WORDS[(index * 7 + at * at + revision) % WORDS.length]);
  return `# Report ${index}\n\nThe number of this report is q${index}x${revision}.\n\n${words.join(' ')}.\n`;
}

/** Returns the key of a report in the bucket. */
export const reportKey = (index: number) => `reports/${String(index % 100).padStart(2, '0')}/report ${index}.md`;

const createdSchema = z.object({ data: z.object({ id: z.string() }) });

/** Creates a connector to the emulator with a new collection. Returns the connector's id. */
export async function connectS3(api: Api, source: S3Server): Promise<string> {
  const { data: collection } = createdSchema.parse(await api.call('POST', '/api/v1/collections', { name: 'Reports' }));
  const { accessKeyId, secretAccessKey, region, bucket, origin: endpoint } = source;
  const { data: connector } = createdSchema.parse(
    await api.call('POST', '/api/v1/connectors', {
      name: 'Reports',
      type: 's3',
      collection: collection.id,
      config: { bucket, region, endpoint },
      credentials: { accessKeyId, secretAccessKey },
    }),
  );
  return connector.id;
}
