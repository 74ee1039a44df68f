import type { ConnectorCall } from '../connector.ts';
import { type Channels, createChannels } from './channels.ts';
import type { DateRange } from './date-range.ts';
import { createPeople, type People } from './people.ts';
import type { SlackApi } from './slack-api.ts';
import { AuthTest } from './slack-forms.ts';
import type { Showing } from './thread-refs.ts';

/** A workspace as a connector sees it. */
export interface Workspace {
  readonly api: SlackApi;
  readonly channels: Channels;
  readonly people: People;
  readonly range: DateRange;
  /** Who the token is; it does not change, so it is asked for once. */
  self(call: ConnectorCall): Promise<AuthTest>;
  /** What messages are shown with, given the names of channels. */
  showing(call: ConnectorCall, channelNames: ReadonlyMap<string, string>): Promise<Showing>;
}

export function createWorkspace(api: SlackApi, wanted: readonly string[], range: DateRange): Workspace {
  const people = createPeople(api);
  let known: AuthTest | undefined;
  const self = async (call: ConnectorCall): Promise<AuthTest> => {
    known ??= (await api.ask(call, 'auth.test', {}, AuthTest)).value;
    return known;
  };
  return {
    api,
    channels: createChannels(api, wanted),
    people,
    range,
    self,
    showing: async (call, channelNames) => {
      const { url } = await self(call);
      return { workspaceUrl: url.replace(/\/*$/, '/'), people: await people.all(call), channelNames };
    },
  };
}
