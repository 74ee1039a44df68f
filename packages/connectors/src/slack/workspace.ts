import type { ConnectorCall } from '#connector';
import { type Channels, createChannels } from '#slack/channels';
import type { DateRange } from '#slack/date-range';
import { createPeople, type People } from '#slack/people';
import type { SlackApi } from '#slack/slack-api';
import { AuthTest } from '#slack/slack-schemas';
import type { RenderContext } from '#slack/thread-refs';

/** The workspace of a connector. */
export interface Workspace {
  readonly api: SlackApi;
  readonly channels: Channels;
  readonly people: People;
  readonly range: DateRange;
  /** Returns the identity of the token. It does not change, so it is requested once. */
  self(call: ConnectorCall): Promise<AuthTest>;
  /** Returns the context for rendering messages. */
  renderContext(call: ConnectorCall, channelNames: ReadonlyMap<string, string>): Promise<RenderContext>;
}

export function createWorkspace(api: SlackApi, wanted: readonly string[], range: DateRange): Workspace {
  const people = createPeople(api);
  let known: AuthTest | undefined;
  const self = async (call: ConnectorCall): Promise<AuthTest> => {
    known ??= (await api.request(call, 'auth.test', {}, AuthTest)).value;
    return known;
  };
  return {
    api,
    channels: createChannels(api, wanted),
    people,
    range,
    self,
    renderContext: async (call, channelNames) => {
      const { url } = await self(call);
      return { workspaceUrl: url.replace(/\/*$/, '/'), people: await people.all(call), channelNames };
    },
  };
}
