import type { Credentials } from '#credentials';
import { type Api, createApi } from '../../tests/support/api.ts';
import type { Resources } from './requests.ts';

const HANDBOOK = {
  'Working from home': 'Everybody may work from home on Tuesdays and Thursdays. Managers may allow further days.',
  Laptops: 'Every laptop is encrypted. A lost laptop is reported to the security team within one hour.',
  Expenses: 'Meals while traveling are reimbursed up to 45 euros a day. Receipts are handed in within 30 days.',
};

/** Creates the documents, agent, connectors and collection that requests use. */
export async function createResources(credentials: Credentials): Promise<Resources> {
  const api = createApi(credentials);
  const library = (await api.ok('POST', '/api/v1/collections', { name: 'Library' })).id;
  for (const [title, content] of Object.entries(HANDBOOK)) {
    const { id } = await api.ok('POST', `/api/v1/collections/${library}/documents`, { title, content });
    await api.until(`/api/v1/documents/${id}`, ({ status }) => status === 'indexed');
  }
  const agent = {
    name: 'Clerk',
    systemPrompt: 'You answer from the documents.',
    tools: ['search_documents', 'get_datetime'],
    collections: [library],
  };
  const connector = async (name: string): Promise<string> =>
    (await api.ok('POST', '/api/v1/connectors', { name, type: 'upload', collection: library })).id;
  const synced = await connector('Synced');
  const files = ['one', 'two', 'three'].map((name) => ({
    name: `${name}.md`,
    bytes: `# File ${name}\n\nIt is the ${name}.`,
  }));
  const { jobId } = await api.upload(synced, files);
  await api.endOfJob(synced, jobId);
  return {
    credentials,
    collection: await newCollection(api, 'Notes'),
    agent: (await api.ok('POST', '/api/v1/agents', agent)).id,
    uploads: await connector('Uploads'),
    synced,
  };
}

/** Creates a collection and returns its id. */
export async function newCollection(api: Api, name: string): Promise<string> {
  return (await api.ok('POST', '/api/v1/collections', { name })).id;
}
