import { z } from 'zod';
import type { Api } from '#system/api';

const created = z.object({ data: z.object({ id: z.string() }) });

/** Creates a collection. Returns its id. */
export const createCollection = async (api: Api, name: string): Promise<string> =>
  created.parse(await api.call('POST', '/api/v1/collections', { name })).data.id;
