import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { OBJECTS } from './sources.ts';
import { button, go, type Stage } from './stage.ts';

interface Form {
  readonly label: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** The input for the form of each type with credentials. */
async function formsOf({ sources, lectern }: Stage): Promise<readonly Form[]> {
  const { s3, confluence, jira, microsoft365, github, gitlab, imap, slack, salesforce, web } = sources;
  const database = new URL((await lectern.home.state()).databaseUrl ?? '');
  return [
    {
      label: 'Amazon S3',
      fields: {
        Bucket: s3.bucket,
        Region: s3.region,
        Prefix: 'animals/',
        Endpoint: s3.origin,
        'Access key ID': s3.accessKeyId,
        'Secret access key': s3.secretAccessKey,
      },
    },
    { label: 'GitHub', fields: { Repositories: 'acme/site', Token: github.token } },
    {
      label: 'Confluence',
      fields: {
        URL: confluence.instanceUrl,
        Spaces: 'DOCS',
        Email: confluence.email,
        'API token': confluence.apiToken,
      },
    },
    {
      label: 'Jira',
      fields: {
        URL: jira.baseUrl,
        Projects: 'OPS',
        'JQL filter': 'status = Open',
        Email: jira.email,
        'API token': jira.apiToken,
      },
    },
    {
      label: 'GitLab',
      fields: {
        URL: gitlab.instanceUrl,
        Groups: 'acme',
        Projects: 'acme/site',
        Parts: 'issues',
        'Access token': gitlab.token,
      },
    },
    {
      label: 'Microsoft 365',
      fields: {
        Sites: 'https://example.sharepoint.com/sites/marketing',
        'OneDrive users': 'ada@example.com',
        Paths: '!Archive',
        Teams: 'all',
        'Teams to leave out': 'Management',
        'Shared mailboxes': 'support@example.com',
        'Mailbox readers': 'ada@example.com',
        'Mail folders': 'Inbox',
        'Mail since': '2020-01-01',
        Endpoint: microsoft365.origin,
        'Tenant ID': microsoft365.tenantId,
        'Client ID': microsoft365.clientId,
        'Client secret': microsoft365.clientSecret,
      },
    },
    { label: 'Slack', fields: { Channels: '#general', From: '2020-01-01', 'Bot token': slack.token } },
    {
      label: 'Salesforce',
      fields: { Objects: 'Account', 'Client ID': salesforce.clientId, 'Client secret': salesforce.clientSecret },
    },
    { label: 'Website', fields: { 'Start URLs': web.origin } },
    {
      label: 'IMAP',
      fields: {
        Host: imap.host,
        Port: String(imap.port),
        Encryption: 'none',
        From: '2020-01-01',
        User: imap.user,
        Password: imap.password,
      },
    },
    {
      label: 'PostgreSQL',
      fields: {
        Host: database.hostname,
        Port: database.port,
        Database: database.pathname.slice(1),
        TLS: 'disable',
        User: decodeURIComponent(database.username),
        Password: decodeURIComponent(database.password),
      },
    },
  ];
}

async function openForm(page: Page, label: string): Promise<void> {
  await go(page, 'Connectors');
  await page.getByRole('link', { name: 'New connector' }).click();
  await page.getByRole('button', { name: new RegExp(`^${label}`) }).click();
  await page.getByRole('heading', { level: 1, name: `Connect ${label}` }).waitFor();
}

async function fill(page: Page, fields: Form['fields']): Promise<void> {
  for (const [name, value] of Object.entries(fields)) {
    const field = page.getByLabel(new RegExp(`^${name}( \\(required\\))?$`));
    if (name === 'TLS' || name === 'Encryption') await field.selectOption(value);
    else await field.fill(value);
  }
}

/** Tests the form of each type, connection tests, syncs, files, settings and errors. */
export function walkConnectors(stage: () => Stage): void {
  it('tests and connects the input of each form', async () => {
    const { page, opened } = stage();
    for (const { label, fields } of await formsOf(stage())) {
      await openForm(page, label);
      await page.getByRole('region', { name: 'Before you start' }).waitFor();
      await fill(page, fields);
      await button(page, 'Test connection').click();
      await page.getByText('The connection works.').waitFor();
      expect(await opened.violations()).toEqual([]);
      if (label === 'Amazon S3') await opened.picture('connector-form');
      await button(page, 'Connect').click();
      await page.getByRole('heading', { level: 1, name: label, exact: true }).waitFor();
      // The created connection works, and the page contains no secret.
      await button(page, 'Test connection').click();
      await page.getByText('The connection works.').waitFor();
      expect(await page.getByRole('alert').allTextContents()).toEqual([]);
      const secret = Object.entries(fields).find(([name]) => /token|secret|password/i.test(name))?.[1] ?? '';
      expect(secret === '' || !(await page.content()).includes(secret)).toBe(true);
    }
  });

  it('connects an upload source, and uploads, lists and deletes files', async () => {
    const { page } = stage();
    await openForm(page, 'Files');
    const chosen = await page.getByLabel('Collection').inputValue();
    await button(page, 'New collection').click();
    await page.getByRole('dialog').getByLabel('Name').fill('Created in place');
    await button(page.getByRole('dialog'), 'Create').click();
    // The new collection is chosen, and the form keeps what was entered.
    await page.locator('option:checked', { hasText: 'Created in place' }).waitFor({ state: 'attached' });
    await page.getByLabel('Collection').selectOption(chosen);
    await button(page, 'Connect').click();
    await page.getByRole('tab', { name: 'Files' }).click();
    await page.getByText('No files yet').waitFor();
    const text = 'Parcels are collected at noon.';
    await page
      .getByRole('tabpanel')
      .locator('input[type=file]')
      .first()
      .setInputFiles({
        name: 'parcels.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from(text),
      });
    const row = page.getByRole('row', { name: /parcels\.txt/ });
    await row.getByText('indexed', { exact: true }).waitFor();
    await button(row, 'Delete').click();
    await button(page.getByRole('dialog'), 'Delete').click();
    await row.waitFor({ state: 'detached' });
  });

  it('syncs with live progress, and asks before it deletes many documents', async () => {
    const { page, opened, sources } = stage();
    await go(page, 'Connectors');
    await page.getByRole('link', { name: 'Amazon S3' }).click();
    await button(page, 'Sync now').click();
    const sync = page.getByRole('region', { name: 'Sync' });
    await sync.getByRole('progressbar').waitFor();
    await sync.getByText('completed', { exact: true }).waitFor();
    await sync.getByText(`indexed ${OBJECTS}`).waitFor();
    expect(await opened.violations()).toEqual([]);
    await page.getByRole('tab', { name: 'Documents' }).click();
    await page.getByText('Page 1 of 2').waitFor();
    await button(page, 'Next').click();
    await page.getByText('Page 2 of 2').waitFor();
    for (let number = 2; number <= OBJECTS; number += 1) sources.s3.remove(`animals/${number}.txt`);
    await sync.getByLabel('Sync', { exact: true }).selectOption('full');
    await button(page, 'Sync now').click();
    await sync.getByText('completed with errors').waitFor();
    await sync.getByText('deletion_held').waitFor();
    await button(page, 'Confirm deletions').click();
    await button(page.getByRole('dialog'), 'Confirm deletions').click();
    await sync.getByText('completed', { exact: true }).waitFor();
    await sync.getByText(`deleted ${OBJECTS - 1}`).waitFor();
  });

  it('changes settings and the schedule, and marks the invalid field', async () => {
    const { page } = stage();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByLabel('Name').fill('Animals');
    await page.getByLabel('Sync schedule').selectOption('Every hour');
    await button(page, 'Save').click();
    await page.getByText('The connector is saved.', { exact: true }).waitFor();
    await page.getByRole('heading', { level: 1, name: 'Animals' }).waitFor();
    // A new address requires the credentials again.
    await page.getByLabel('Endpoint').fill('http://127.0.0.1:9');
    await button(page, 'Save').click();
    await page.getByRole('tabpanel').getByRole('alert').waitFor();
  });

  it('shows a failed connection, and the errors of a sync', async () => {
    const { page, opened, sources } = stage();
    await openForm(page, 'Amazon S3');
    await fill(page, {
      Name: 'Locked bucket',
      Bucket: sources.s3.bucket,
      Region: sources.s3.region,
      Endpoint: sources.s3.origin,
      'Access key ID': sources.s3.accessKeyId,
      'Secret access key': 'not its secret',
    });
    await button(page, 'Test connection').click();
    await page.getByText('The connection failed.').waitFor();
    await page.getByRole('status').getByText('Create an access key for it').waitFor();
    const guide = page.getByRole('region', { name: 'Before you start' });
    await guide.getByRole('listitem').filter({ hasText: 'Check this step: Create an access key' }).waitFor();
    expect(await guide.getByText('Check this step:').count()).toBe(1);
    expect(await opened.violations()).toEqual([]);
    await button(page, 'Connect').click();
    await page.getByRole('heading', { level: 1, name: 'Locked bucket' }).waitFor();
    await button(page, 'Sync now').click();
    await page.getByRole('region', { name: 'Sync' }).getByText('failed', { exact: true }).waitFor();
    await page.getByRole('tabpanel').locator('.notice-error').first().waitFor();
    expect(await opened.violations()).toEqual([]);
    await opened.picture('connector-error');
  });

  it('retries the failed documents of a connector', async () => {
    const { page, opened, lectern } = stage();
    const uploads = (await lectern.api.all('/api/v1/connectors')).filter(({ type }) => type === 'upload');
    const failed = await Promise.all(
      uploads.map(({ id }) => lectern.api.all(`/api/v1/connectors/${id}/documents?status=failed`)),
    );
    const index = failed.findIndex((documents) => documents.length > 0);
    const { id, name } = uploads[index];
    const jobsPath = `/api/v1/connectors/${id}/sync`;
    const [upload] = await lectern.api.all(jobsPath);
    await go(page, 'Connectors');
    await page.getByRole('link', { name, exact: true }).click();
    const panel = page.getByRole('region', { name: 'Sync', exact: true });
    await button(panel, 'Retry failed documents').click();
    const [retry] = await lectern.api.until(
      jobsPath,
      ([newest]) => newest.jobId !== upload.jobId && newest.status === 'completed_with_errors',
    );
    const count = failed[index]?.length;
    expect(retry).toMatchObject({ mode: 'incremental', progress: { total: count, failed: count } });
    await button(panel, 'Retry failed documents').waitFor();
    expect(await opened.violations()).toEqual([]);
  });
}
