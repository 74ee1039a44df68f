import { createCache } from '@lectern/resilience';
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { SlackApp } from '#gen/prisma/client';
import { refusalOf } from '#slack/asker';
import { slackProblem } from '#slack/slack-client';

const PAGE = 1_000;
/** In a larger workspace or channel, the app answers in direct messages. */
const MAX_PAGES = 10;
const MEMBERS_MS = 10 * 60_000;
/** A person who is not known is looked up again if the list is older than this. */
const RECENT_MS = 30_000;
const MAX_APPS = 100;

const channelSchema = z.looseObject({
  is_ext_shared: z.boolean().optional(),
  is_pending_ext_shared: z.boolean().optional(),
  is_org_shared: z.boolean().optional(),
  is_shared: z.boolean().optional(),
});

/** The accounts of a workspace that may read what a full member may read, and programs. */
interface Members {
  readonly ids: ReadonlySet<string>;
  readonly readAt: number;
}

async function pages(read: (cursor: string) => Promise<string | undefined>): Promise<boolean> {
  let cursor = '';
  for (let page = 0; page < MAX_PAGES; page++) {
    const next = await read(cursor);
    if (!next) return true;
    cursor = next;
  }
  return false;
}

async function readMembers(client: WebClient, workspaceId: string): Promise<Members | undefined> {
  const ids = new Set<string>();
  const readAt = Date.now();
  const isComplete = await pages(async (cursor) => {
    const { members = [], response_metadata } = await client.users.list({ limit: PAGE, cursor });
    for (const member of members) {
      if (member.id === undefined) continue;
      const isProgram = member.is_bot === true || member.id === 'USLACKBOT';
      if (isProgram || refusalOf({ ...member, id: member.id }, workspaceId) === undefined) ids.add(member.id);
    }
    return response_metadata?.next_cursor;
  });
  return isComplete ? { ids, readAt } : undefined;
}

/** Decides whether a channel has only readers for whom public documents are meant. */
export interface Audiences {
  /**
   * True if everybody in the channel is a full member of the app's workspace or a program. False for a
   * channel with guests or other organizations, and if Slack does not let the app find out.
   */
  isInternal(app: Pick<SlackApp, 'id' | 'workspaceId'>, client: WebClient, channel: string): Promise<boolean>;
}

export function createAudiences(): Audiences {
  const known = createCache<string, Members>({ maxEntries: MAX_APPS });

  const membersOf = async (app: Pick<SlackApp, 'id' | 'workspaceId'>, client: WebClient, maxAgeMs: number) => {
    const last = known.get(app.id);
    if (last !== undefined && Date.now() - last.readAt < maxAgeMs) return last;
    const members = await readMembers(client, app.workspaceId);
    if (members !== undefined) known.set(app.id, members);
    return members;
  };

  const check: Audiences['isInternal'] = async (app, client, channel) => {
    const info = channelSchema.parse((await client.conversations.info({ channel })).channel);
    if (info.is_ext_shared || info.is_pending_ext_shared || info.is_org_shared || info.is_shared) return false;
    const readers: string[] = [];
    const isComplete = await pages(async (cursor) => {
      const { members = [], response_metadata } = await client.conversations.members({ channel, limit: PAGE, cursor });
      readers.push(...members);
      return response_metadata?.next_cursor;
    });
    if (!isComplete) return false;
    const isMember = (members: Members | undefined) =>
      members !== undefined && readers.every((id) => members.ids.has(id));
    return isMember(await membersOf(app, client, MEMBERS_MS)) || isMember(await membersOf(app, client, RECENT_MS));
  };

  return {
    isInternal: async (app, client, channel) => {
      try {
        return await check(app, client, channel);
      } catch (error) {
        // A missing scope, or a channel that the app cannot see.
        if (error instanceof z.ZodError || slackProblem(error)?.kind === 'rejected') return false;
        throw error;
      }
    },
  };
}
