import type { ConnectorTypeName } from '#api/types.ts';
import { t } from '#texts/texts.ts';

export interface SetUpStep {
  readonly name: string;
  /** `code` is in backquotes. */
  readonly text: string;
}

/** What to do at the source before it is connected. */
export interface SetUpGuide {
  /** In order. */
  readonly steps: readonly SetUpStep[];
  /** Where the first step begins. */
  readonly link?: { readonly label: string; readonly url: string };
}

/** The guides of the types that need something from their vendor. */
export const SET_UP_GUIDES: Readonly<Partial<Record<ConnectorTypeName, SetUpGuide>>> = {
  s3: {
    steps: [
      { name: 'user', text: t('setUpGuides.s3.user') },
      { name: 'rights', text: t('setUpGuides.s3.rights') },
      { name: 'accessKey', text: t('setUpGuides.s3.accessKey') },
      { name: 'readers', text: t('setUpGuides.s3.readers') },
    ],
    link: { label: t('setUpGuides.s3.link'), url: 'https://console.aws.amazon.com/iam/' },
  },
  google_drive: {
    steps: [
      { name: 'account', text: t('setUpGuides.googleDrive.account') },
      { name: 'operator', text: t('setUpGuides.googleDrive.operator') },
      { name: 'domain', text: t('setUpGuides.googleDrive.domain') },
    ],
  },
  gmail: {
    steps: [
      { name: 'mailbox', text: t('setUpGuides.gmail.mailbox') },
      { name: 'project', text: t('setUpGuides.gmail.project') },
      { name: 'delegation', text: t('setUpGuides.gmail.delegation') },
      { name: 'groups', text: t('setUpGuides.gmail.groups') },
      { name: 'readers', text: t('setUpGuides.gmail.readers') },
    ],
    link: { label: t('setUpGuides.gmail.link'), url: 'https://admin.google.com/ac/owl/domainwidedelegation' },
  },
  confluence: {
    steps: [
      { name: 'account', text: t('setUpGuides.confluence.account') },
      { name: 'cloud', text: t('setUpGuides.confluence.cloud') },
      { name: 'dataCenter', text: t('setUpGuides.confluence.dataCenter') },
    ],
    link: {
      label: t('setUpGuides.confluence.link'),
      url: 'https://id.atlassian.com/manage-profile/security/api-tokens',
    },
  },
  jira: {
    steps: [
      { name: 'account', text: t('setUpGuides.jira.account') },
      { name: 'cloud', text: t('setUpGuides.jira.cloud') },
      { name: 'dataCenter', text: t('setUpGuides.jira.dataCenter') },
    ],
    link: { label: t('setUpGuides.jira.link'), url: 'https://id.atlassian.com/manage-profile/security/api-tokens' },
  },
  github: {
    steps: [
      { name: 'token', text: t('setUpGuides.github.token') },
      { name: 'permissions', text: t('setUpGuides.github.permissions') },
      { name: 'copy', text: t('setUpGuides.github.copy') },
    ],
    link: { label: t('setUpGuides.github.link'), url: 'https://github.com/settings/personal-access-tokens/new' },
  },
  gitlab: {
    steps: [
      { name: 'token', text: t('setUpGuides.gitlab.token') },
      { name: 'emails', text: t('setUpGuides.gitlab.emails') },
      { name: 'paths', text: t('setUpGuides.gitlab.paths') },
    ],
    link: { label: t('setUpGuides.gitlab.link'), url: 'https://docs.gitlab.com/security/tokens/' },
  },
  microsoft_365: {
    steps: [
      { name: 'registration', text: t('setUpGuides.microsoft365.registration') },
      { name: 'ids', text: t('setUpGuides.microsoft365.ids') },
      { name: 'secret', text: t('setUpGuides.microsoft365.secret') },
      { name: 'permissions', text: t('setUpGuides.microsoft365.permissions') },
      { name: 'files', text: t('setUpGuides.microsoft365.files') },
      { name: 'teams', text: t('setUpGuides.microsoft365.teams') },
      { name: 'outlook', text: t('setUpGuides.microsoft365.outlook') },
      { name: 'consent', text: t('setUpGuides.microsoft365.consent') },
    ],
    link: { label: t('setUpGuides.microsoft365.link'), url: 'https://entra.microsoft.com' },
  },
  slack: {
    steps: [
      { name: 'app', text: t('setUpGuides.slack.app') },
      { name: 'scopes', text: t('setUpGuides.slack.scopes') },
      { name: 'install', text: t('setUpGuides.slack.install') },
      { name: 'invite', text: t('setUpGuides.slack.invite') },
    ],
    link: { label: t('setUpGuides.slack.link'), url: 'https://api.slack.com/apps' },
  },
  notion: {
    steps: [
      { name: 'pages', text: t('setUpGuides.notion.pages') },
      { name: 'operator', text: t('setUpGuides.notion.operator') },
    ],
  },
  salesforce: {
    steps: [
      { name: 'application', text: t('setUpGuides.salesforce.application') },
      { name: 'user', text: t('setUpGuides.salesforce.user') },
      { name: 'consumerKey', text: t('setUpGuides.salesforce.consumerKey') },
      { name: 'operator', text: t('setUpGuides.salesforce.operator') },
      { name: 'readers', text: t('setUpGuides.salesforce.readers') },
    ],
  },
  imap: {
    steps: [
      { name: 'server', text: t('setUpGuides.imap.server') },
      { name: 'password', text: t('setUpGuides.imap.password') },
      { name: 'microsoft', text: t('setUpGuides.imap.microsoft') },
      { name: 'google', text: t('setUpGuides.imap.google') },
      { name: 'mailbox', text: t('setUpGuides.imap.mailbox') },
      { name: 'mailboxes', text: t('setUpGuides.imap.mailboxes') },
    ],
  },
  postgresql: {
    steps: [
      { name: 'user', text: t('setUpGuides.postgresql.user') },
      { name: 'connections', text: t('setUpGuides.postgresql.connections') },
      { name: 'readers', text: t('setUpGuides.postgresql.readers') },
    ],
  },
  web: {
    steps: [
      { name: 'permission', text: t('setUpGuides.web.permission') },
      { name: 'start', text: t('setUpGuides.web.start') },
      { name: 'exclude', text: t('setUpGuides.web.exclude') },
    ],
  },
};
