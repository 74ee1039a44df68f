import { useQuery } from '@tanstack/react-query';
import { lectern } from '#api/lectern.ts';
import type { SlackTransport } from '#api/types.ts';
import { CopyField } from '#ui/copy-field.tsx';
import { QueryView } from '#ui/query-view.tsx';

/** The steps in Slack, with the manifest of the app. */
export function SlackManifest({ transport }: { readonly transport: SlackTransport }) {
  const manifest = useQuery({
    queryKey: ['slack-manifest', transport],
    queryFn: ({ signal }) => lectern().client.call('getSlackManifest', { query: { transport } }, { signal }),
  });
  return (
    <ol className="stack bullets">
      <li>
        Open{' '}
        <a href="https://api.slack.com/apps?new_app=1" target="_blank" rel="noreferrer">
          api.slack.com/apps
        </a>
        , choose <em>Create New App</em> → <em>From a manifest</em>, and paste this manifest as JSON.
        <QueryView query={manifest} what="the manifest">
          {({ manifest: value }) => <CopyField label="Manifest" value={JSON.stringify(value)} />}
        </QueryView>
      </li>
      <li>
        <em>Install to Workspace</em>. Copy the <em>Bot User OAuth Token</em> from <em>OAuth &amp; Permissions</em>.
      </li>
      {transport === 'http' ? (
        <li>
          Copy the <em>Signing Secret</em> from <em>Basic Information</em>. When you have added the app here, open{' '}
          <em>Event Subscriptions</em> in Slack and choose <em>Retry</em> next to the request URL.
        </li>
      ) : (
        <li>
          In <em>Basic Information</em> → <em>App-Level Tokens</em>, generate a token with the scope{' '}
          <code>connections:write</code>.
        </li>
      )}
    </ol>
  );
}
