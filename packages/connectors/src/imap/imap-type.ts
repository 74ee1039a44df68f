import { z } from 'zod';
import { openImap } from '#imap/imap-connector';
import { imapCredentials, loginName, toImapCredentials } from '#imap/imap-credentials';
import { DELEGATIONS, SECURITY } from '#imap/imap-settings';
import { defineType } from '#settings/connector-type';
import { principals } from '#settings/principals';
import { distinctNames, pathPatterns, textList } from '#settings/text-list';

const host = z
  .string()
  .trim()
  .max(253)
  .regex(/^(\[[0-9a-f:.]+\]|[A-Za-z0-9_.:-]+)$/i, 'must be a host name or an IP address');

const mailboxes = textList('mailboxes')
  .pipe(
    z
      .array(loginName('the name of a mailbox'))
      .min(1, 'must name a mailbox; omit the field for that of the user')
      .max(100),
  )
  .transform(distinctNames);

const config = z
  .strictObject({
    host,
    port: z.coerce.number('must be a port').int().min(1).max(65_535).optional(),
    security: z.enum(SECURITY, `must be one of: ${SECURITY.join(', ')}`).default('tls'),
    mailboxes: mailboxes.optional(),
    delegation: z.enum(DELEGATIONS, `must be one of: ${DELEGATIONS.join(', ')}`).optional(),
    folders: pathPatterns.optional(),
    since: z.iso.date('must be a date, for example 2026-01-31').optional(),
    attachments: z.boolean('must be true or false').optional(),
    principals: principals.optional(),
  })
  .superRefine(({ mailboxes: named, delegation }, context) => {
    const issue = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (named !== undefined && delegation === undefined) {
      issue('delegation', 'is required with mailboxes: how the user opens the mailboxes of others');
    }
    if (named === undefined && delegation !== undefined) issue('mailboxes', 'is required with delegation');
  });

/** Messages and attachments of the mailboxes of an IMAP server. */
export const imapType = defineType({
  name: 'imap',
  acceptsFiles: false,
  endpointFields: ['host', 'port', 'security', 'mailboxes', 'delegation', 'principals'],
  config,
  credentials: imapCredentials,
  open: ({ config: settings, credentials, host: services }) =>
    openImap(
      {
        ...{ host: settings.host, security: settings.security, port: settings.port },
        ...{ mailboxes: settings.mailboxes, delegation: settings.delegation },
        ...{ folders: settings.folders ?? [], since: settings.since, readsAttachments: settings.attachments ?? true },
        principals: settings.principals,
      },
      toImapCredentials(credentials),
      services,
    ),
});
