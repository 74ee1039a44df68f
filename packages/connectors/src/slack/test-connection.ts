import { type CheckStep, runChecks } from '#checks/run-checks';
import type { ConnectionCheck, ConnectorCall } from '#connector';
import { AuthTest, MessagePage } from '#slack/slack-schemas';
import type { Workspace } from '#slack/workspace';
import { SourceError } from '#source-error';

const invalid = (message: string) => new SourceError('invalid', message);

/** Tests the token, channels, messages and people, and stops at the first failure. */
export async function testConnection(workspace: Workspace, call: ConnectorCall): Promise<readonly ConnectionCheck[]> {
  const steps: readonly CheckStep[] = [
    [
      'token',
      async () => {
        const { value, headers } = await workspace.api.request(call, 'auth.test', {}, AuthTest);
        const scopes = headers.get('x-oauth-scopes')?.split(/[\s,]+/);
        const noFiles = scopes !== undefined && !scopes.includes('files:read');
        const note = noFiles ? ' Files are not read, because the app does not have the scope files:read.' : '';
        return `Slack accepts the token for ${value.team ?? value.team_id}.${note}`;
      },
    ],
    [
      'channels',
      async () => {
        const { selected, missing } = await workspace.channels.read(call);
        if (missing.length > 0) {
          throw invalid(
            `These channels do not exist, or the app is not in them: ${missing.join(', ')}. Check config.channels, or invite the app.`,
          );
        }
        if (selected.length === 0)
          throw invalid('The app is not in a public channel. Invite it to one, or set config.channels.');
        return `${selected.length} ${selected.length === 1 ? 'channel is' : 'channels are'} visible.`;
      },
    ],
    [
      'messages',
      async () => {
        const [first] = (await workspace.channels.recent(call)).selected;
        const parameters = { channel: first?.id ?? '', limit: '1' };
        await workspace.api.request(call, 'conversations.history', parameters, MessagePage);
        return `Messages of #${first?.name ?? first?.id} can be read.`;
      },
    ],
    [
      'people',
      async () => {
        const people = [...(await workspace.people.all(call)).values()];
        if (people.length === 0) throw invalid('The app needs the scope users:read to show the authors of messages.');
        const mails = people.some((user) => user.profile?.email);
        const hidden =
          'Their emails are hidden. With the scope users:read.email, X-Service-User matches people by email.';
        return `${people.length} ${people.length === 1 ? 'person is' : 'people are'} visible.${mails ? '' : ` ${hidden}`}`;
      },
    ],
  ];
  return runChecks(steps);
}
