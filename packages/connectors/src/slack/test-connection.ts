import type { ConnectionCheck, ConnectorCall } from '../connector.ts';
import { SourceError } from '../source-error.ts';
import { AuthTest, MessagePage } from './slack-forms.ts';
import type { Workspace } from './workspace.ts';

const invalid = (message: string) => new SourceError('invalid', message);

/** What there is to see with the token, step by step. */
export async function testConnection(of: Workspace, call: ConnectorCall): Promise<readonly ConnectionCheck[]> {
  const checks: ConnectionCheck[] = [];
  const steps: readonly (readonly [string, () => Promise<string>])[] = [
    [
      'token',
      async () => {
        const { value, headers } = await of.api.ask(call, 'auth.test', {}, AuthTest);
        const scopes = headers.get('x-oauth-scopes')?.split(/[\s,]+/);
        const noFiles = scopes !== undefined && !scopes.includes('files:read');
        const note = noFiles ? ' Files will not be read: the app has not the scope files:read.' : '';
        return `Slack accepts the token for ${value.team ?? value.team_id}.${note}`;
      },
    ],
    [
      'channels',
      async () => {
        const { chosen, missing } = await of.channels.read(call);
        if (missing.length > 0) {
          throw invalid(`These channels are not there, or the app is not in them: ${missing.join(', ')}.`);
        }
        if (chosen.length === 0) throw invalid('The app is in no public channel. Invite it, or name channels.');
        return `${chosen.length} channels can be seen.`;
      },
    ],
    [
      'messages',
      async () => {
        const [first] = (await of.channels.recent(call)).chosen;
        const parameters = { channel: first?.id ?? '', limit: '1' };
        await of.api.ask(call, 'conversations.history', parameters, MessagePage);
        return `Messages of #${first?.name ?? first?.id} can be read.`;
      },
    ],
    [
      'people',
      async () => {
        const people = [...(await of.people.all(call)).values()];
        if (people.length === 0) throw invalid('The app needs the scope users:read to name who wrote a message.');
        const mails = people.some((user) => user.profile?.email);
        const hidden = 'Their e-mails are not shown: with users:read.email, X-Service-User finds what they may read.';
        return `${people.length} people can be named.${mails ? '' : ` ${hidden}`}`;
      },
    ],
  ];
  for (const [name, look] of steps) {
    try {
      checks.push({ name, ok: true, message: await look() });
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      checks.push({ name, ok: false, message: error.message });
      break;
    }
  }
  return checks;
}
