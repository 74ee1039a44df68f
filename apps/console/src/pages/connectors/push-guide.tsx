import { Link } from 'wouter';
import { CopyField } from '#ui/copy-field.tsx';
import { CodeBlock } from '#ui/markdown/code-block.tsx';

const curl = (connectorId: string) =>
  `curl ${location.origin}/api/v1/connectors/${connectorId}/items \\
  -H "Authorization: Bearer $LECTERN_KEY" -H 'Content-Type: application/json' \\
  -d '{"items": [{"action": "put", "id": "hr/leave", "revision": 1, "title": "Leave",
       "content": "Thirty days a year.", "principals": ["public"]}]}'`;

const program = (connectorId: string) => `import { CustomSource, Lectern } from '@lectern/sdk';

const lectern = new Lectern({ baseUrl: '${location.origin}', key: process.env.LECTERN_KEY });
const source = new CustomSource(lectern, '${connectorId}');

// Push changes as they happen.
await source.push([
  { action: 'put', id: 'hr/leave', revision: 2, title: 'Leave', content: 'Thirty days a year.' },
  { action: 'permissions', id: 'hr/leave', revision: 3, principals: ['user:ann@example.com'] },
  { action: 'delete', id: 'hr/travel', revision: 2 },
]);

// Push everything once a day: what is missing is deleted.
await source.replaceAll(allItems());`;

/** How to push items to a connector, with its id. */
export function PushGuide({ connectorId }: { readonly connectorId: string }) {
  return (
    <section className="card stack" aria-label="Set up">
      <p>
        Create a <Link href="/keys">key</Link> with the right <code>connectors</code>, and send each item with an id, a
        revision that grows with each change, and who can read it. A change that is not newer is ignored, so your
        program can send it again at any time.
      </p>
      <CopyField label="Connector ID" value={connectorId} />
      <h2>With curl</h2>
      <CodeBlock language="bash" text={curl(connectorId)} />
      <h2>With the TypeScript SDK</h2>
      <CodeBlock language="ts" text={program(connectorId)} />
    </section>
  );
}
