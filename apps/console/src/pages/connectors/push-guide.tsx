import { Link } from 'wouter';
import { t } from '#texts/texts.ts';
import { CopyField } from '#ui/copy-field.tsx';
import { CodeBlock } from '#ui/markdown/code-block.tsx';
import { RichText } from '#ui/rich-text.tsx';

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
    <section className="card stack" aria-label={t('connectors.tabs.setUp')}>
      <p>
        <RichText name="connectors.push.intro" elements={{ keys: <Link href="/keys" />, code: <code /> }} />
      </p>
      <CopyField label={t('connectors.push.connectorId')} value={connectorId} />
      <h2>{t('connectors.push.curl')}</h2>
      <CodeBlock language="bash" text={curl(connectorId)} />
      <h2>{t('connectors.push.sdk')}</h2>
      <CodeBlock language="ts" text={program(connectorId)} />
    </section>
  );
}
