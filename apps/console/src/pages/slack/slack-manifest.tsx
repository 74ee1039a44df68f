import { useQuery } from '@tanstack/react-query';
import { lectern } from '#api/lectern.ts';
import type { SlackTransport } from '#api/types.ts';
import { t } from '#texts/texts.ts';
import { CopyField } from '#ui/copy-field.tsx';
import { QueryView } from '#ui/query-view.tsx';
import { RichText } from '#ui/rich-text.tsx';

/** The steps in Slack, with the manifest of the app. */
export function SlackManifest({ transport }: { readonly transport: SlackTransport }) {
  const manifest = useQuery({
    queryKey: ['slack-manifest', transport],
    queryFn: ({ signal }) => lectern().client.call('getSlackManifest', { query: { transport } }, { signal }),
  });
  return (
    <ol className="stack bullets">
      <li>
        <RichText
          name="slack.steps.create"
          elements={{
            // biome-ignore lint/a11y/useAnchorContent: the text has its content.
            apps: <a href="https://api.slack.com/apps?new_app=1" target="_blank" rel="noreferrer" />,
            em: <em />,
          }}
        />
        <QueryView query={manifest} what={t('slack.what.manifest')}>
          {({ manifest: value }) => <CopyField label={t('slack.manifest')} value={JSON.stringify(value)} />}
        </QueryView>
      </li>
      <li>
        <RichText name="slack.steps.install" elements={{ em: <em /> }} />
      </li>
      <li>
        <RichText
          name={transport === 'http' ? 'slack.steps.signingSecret' : 'slack.steps.appToken'}
          elements={{ em: <em />, code: <code /> }}
        />
      </li>
    </ol>
  );
}
