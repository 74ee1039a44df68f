import { describe, expect, it } from '@jest/globals';
import { connectorTypes } from '@lectern/connectors';
import { resolveSchema, valuesOf } from '@lectern/testing';
import fc from 'fast-check';
import { createDocument } from '#openapi/document';
import { operations } from '#operations';

const { schemas } = createDocument(operations).components;

/** Conditions between fields and languages, which a schema cannot express. */
const isPossible = (type: string, config: unknown, credentials: unknown): boolean => {
  const { dateRange, mailSince, soqlFilter, jql, sitemaps, projects, groups } = Object(config);
  const { sites = [], oneDrives = [], teams = [] } = Object(config);
  const { sharedMailboxes = [], mailboxes = [], mailboxGroups = [] } = Object(config);
  const isAlone = (list: unknown) => !Array.isArray(list) || new Set(list).size <= 1 || !list.includes('all');
  if (![sites, oneDrives, teams].every(isAlone)) return false;
  const selections = [sites, oneDrives, teams, sharedMailboxes, mailboxes, mailboxGroups];
  if (type === 'microsoft_365' && selections.every(({ length }) => length === 0)) return false;
  const namesOf = (list: unknown) => [list].flat().map((name) => String(name).toLowerCase());
  if (namesOf(mailboxes).some((name) => namesOf(sharedMailboxes).includes(name))) return false;
  if (type === 'gitlab' && projects === undefined && groups === undefined) return false;
  if (type === 'imap') {
    const { mailboxes, delegation } = Object(config);
    if ((mailboxes === undefined) !== (delegation === undefined)) return false;
  }
  const { serviceAccountKey } = Object(credentials);
  return [dateRange, mailSince, soqlFilter, jql, sitemaps, serviceAccountKey].every((field) => field === undefined);
};

const byName = (name: string) => connectorTypes.find((type) => type.name === name)!;

describe('the settings of a connector', () => {
  it.each(connectorTypes.map((type) => [type.name, type] as const))('of the type %s are accepted', (name, type) => {
    const { discriminator } = resolveSchema(schemas, { $ref: '#/components/schemas/CreateConnectorRequest' });
    const $ref = Reflect.get(Object(Reflect.get(Object(discriminator), 'mapping')), name);
    fc.assert(
      fc.property(valuesOf(schemas, { $ref }), (value) => {
        const { config, credentials } = Object(value);
        fc.pre(isPossible(name, config, credentials));
        type.checkConfig(config);
        type.checkCredentials(credentials);
        expect(value).toMatchObject({ type: name });
      }),
      { numRuns: 100 },
    );
  });

  describe('that are URLs', () => {
    const textOf = (arbitrary: fc.Arbitrary<string>) => fc.oneof(fc.constant(''), arbitrary);
    const port = fc.integer({ min: 0, max: 70_000 });
    const host = fc.oneof(
      fc.domain(),
      fc.stringMatching(/^[a-z0-9]{1,10}$/),
      fc.ipV4(),
      fc.ipV6().map((address) => `[${address}]`),
    );
    const path = fc.webPath().map((text) => (text.startsWith('/') ? text : `/${text}`));
    const urls = fc
      .record({
        scheme: fc.constantFrom('http://', 'https://', 'HTTPS://', 'ftp://'),
        user: textOf(fc.constantFrom('user@', 'user:password@')),
        host,
        port: textOf(port.map((number) => `:${number}`)),
        path: textOf(path),
        rest: textOf(fc.constantFrom('?page=1', '#top')),
      })
      .map((parts) => Object.values(parts).join(''));
    const fields = [
      ['S3Config', 'endpoint', (value: string) => byName('s3').checkConfig({ bucket: 'files', endpoint: value })],
      [
        'Microsoft365Config',
        'endpoint',
        (value: string) => byName('microsoft_365').checkConfig({ sites: 'all', endpoint: value }),
      ],
      ['JiraConfig', 'baseUrl', (value: string) => byName('jira').checkConfig({ baseUrl: value })],
      ['ConfluenceConfig', 'instanceUrl', (value: string) => byName('confluence').checkConfig({ instanceUrl: value })],
      [
        'GitLabConfig',
        'instanceUrl',
        (value: string) => byName('gitlab').checkConfig({ instanceUrl: value, groups: 'acme' }),
      ],
      [
        'IMAPRefreshTokenCredentials',
        'tokenUrl',
        (value: string) =>
          byName('imap').checkCredentials({ user: 'ada', clientId: 'id', refreshToken: 'token', tokenUrl: value }),
      ],
      [
        'SalesforceTokenCredentials',
        'instanceUrl',
        (value: string) => byName('salesforce').checkCredentials({ accessToken: 'token', instanceUrl: value }),
      ],
    ] as const;

    it.each(fields)('%s.%s: the document allows what is accepted, and only that', (name, field, check) => {
      const { pattern } = Object(Reflect.get(Object(schemas[name]?.properties), field));
      const documented = (value: string) => new RegExp(pattern).test(value) && URL.canParse(value);
      const isAccepted = (value: string) => {
        try {
          check(value);
          return true;
        } catch {
          return false;
        }
      };
      fc.assert(
        fc.property(urls, (value) => expect(documented(value)).toBe(isAccepted(value))),
        {
          numRuns: 1_000,
          examples: [
            ['http://127.0.0.1:9000'],
            ['https://wiki.example.com:10443'],
            ['http://localhost/token'],
            ['http://127.0.0.1:65535/token'],
            ['http://127.0.0.1.example.com'],
            ['https://wiki.example.com/confluence'],
            ['https://3m.atlassian.net'],
            ['https://minio.example.com/.'],
          ],
        },
      );
    });
  });
});
