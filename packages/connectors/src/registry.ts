import { invalidRequest } from '@lectern/service-kit';
import { confluenceType } from '#confluence/confluence-type';
import { customType } from '#custom/custom-type';
import { githubType } from '#github/github-type';
import { gitlabType } from '#gitlab/gitlab-type';
import { gmailType } from '#gmail/gmail-type';
import { googleDriveType } from '#google-drive/google-drive-type';
import { imapType } from '#imap/imap-type';
import { jiraType } from '#jira/jira-type';
import { microsoft365Type } from '#microsoft-365/microsoft-365-type';
import { notionType } from '#notion/notion-type';
import { postgresqlType } from '#postgresql/postgresql-type';
import { s3Type } from '#s3/s3-type';
import { salesforceType } from '#salesforce/salesforce-type';
import type { ConnectorType } from '#settings/connector-type';
import { slackType } from '#slack/slack-type';
import { uploadType } from '#upload/upload-type';
import { webType } from '#web/web-type';

/** All types of sources. To add one, create a folder next to `upload` and a line here. */
export const connectorTypes: readonly ConnectorType[] = [
  confluenceType,
  customType,
  githubType,
  gitlabType,
  gmailType,
  googleDriveType,
  imapType,
  jiraType,
  microsoft365Type,
  notionType,
  postgresqlType,
  s3Type,
  salesforceType,
  slackType,
  uploadType,
  webType,
];

/** Returns the type with this name. Throws `invalid_request` that lists the known types. */
export function findConnectorType(name: string, types: readonly ConnectorType[] = connectorTypes): ConnectorType {
  const type = types.find((candidate) => candidate.name === name);
  if (type !== undefined) return type;
  const known = types.map((candidate) => candidate.name).join(', ');
  throw invalidRequest([{ path: 'type', message: `must be one of: ${known}` }]);
}
