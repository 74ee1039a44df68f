import { runChecks } from '#checks/run-checks';
import type { Connector } from '#connector';
import type { ConnectorHost } from '#host';
import { combineParts } from '#microsoft-365/combine-parts';
import { createDirectoryApi } from '#microsoft-365/directory/directory-api';
import { createPeople, siteOf } from '#microsoft-365/directory/people';
import { readGroups } from '#microsoft-365/directory/read-groups';
import { createFilesApi } from '#microsoft-365/files/files-api';
import { createFilesPart, type FilesScope } from '#microsoft-365/files/files-part';
import { createGraphHttp, type GraphSettings } from '#microsoft-365/graph-http';
import { createMailApi } from '#microsoft-365/mail/mail-api';
import { createMailPart, type MailScope } from '#microsoft-365/mail/mail-part';
import type { Part } from '#microsoft-365/part';
import type { TeamsScope } from '#microsoft-365/teams/team-places';
import { createTeamsApi } from '#microsoft-365/teams/teams-api';
import { createTeamsPart } from '#microsoft-365/teams/teams-part';

export interface Microsoft365Settings extends GraphSettings, FilesScope, TeamsScope, MailScope {}

/** Opens the kinds of content of a tenant that the settings name. */
export function openMicrosoft365(
  settings: Microsoft365Settings,
  host: Pick<ConnectorHost, 'egress' | 'maxItemBytes'>,
): Connector {
  const http = createGraphHttp(settings, host);
  const directory = createDirectoryApi(http);
  const site = siteOf(settings);
  const { tenantId } = settings.credentials;
  const people = createPeople(directory);
  const { maxItemBytes } = host;
  const { sites, oneDrives, teams, sharedMailboxes, mailboxes, mailboxGroups } = settings;
  const parts: Part[] = [];
  if (sites.length + oneDrives.length > 0) {
    const api = { ...createFilesApi(http), ...directory };
    parts.push(createFilesPart({ api, http, people, site, maxItemBytes }, settings));
  }
  if (teams.length > 0) {
    const api = { ...createTeamsApi(http), ...directory };
    parts.push(createTeamsPart({ api, people, site, tenantId, maxItemBytes }, settings));
  }
  if (sharedMailboxes.length + mailboxes.length + mailboxGroups.length > 0) {
    const api = { ...createMailApi(http), ...directory };
    parts.push(createMailPart({ api, people, site, maxItemBytes }, settings));
  }

  return {
    ...combineParts(parts),
    test: (call) =>
      runChecks([
        ...parts.flatMap((part) => part.checks(call)),
        [
          'people and groups',
          async () => {
            for await (const _ of directory.allUsers(call)) break;
            for await (const _ of directory.allGroups(call)) break;
            return 'Users and groups can be listed.';
          },
        ],
      ]),
    async *groups(call) {
      yield* readGroups({ api: directory, site }, call);
      for (const part of parts) if (part.groups !== undefined) yield* part.groups(call);
    },
  };
}
