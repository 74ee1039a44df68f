import { z } from 'zod';
import { instanceOrigin } from '#salesforce/instance-url';
import { openSalesforce } from '#salesforce/salesforce-connector';
import type { SalesforceCredentials } from '#salesforce/session';
import { faultOfFilter } from '#salesforce/soql-filter';
import { defineType } from '#settings/connector-type';
import { principals } from '#settings/principals';

const objectName = z
  .string()
  .trim()
  .regex(/^[A-Za-z]\w{0,79}$/, 'must be the API name of an object, for example Account or Project__c');

const objects = z
  .union([objectName.transform((name) => [name]), z.array(objectName)], 'must be a list of object names')
  .transform((names) => [...new Map(names.map((name) => [name.toLowerCase(), name])).values()])
  .pipe(z.array(z.string()).max(100));

const soqlFilter = z
  .string()
  .trim()
  .max(4_000)
  .superRefine((filter, context) => {
    const fault = filter === '' ? undefined : faultOfFilter(filter);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
  });

const secret = z.string().trim().min(1, 'must not be empty').max(4_096);

const instanceUrl = z
  .string()
  .max(2_048)
  .refine(
    (text) => instanceOrigin(text) !== undefined,
    'must be the URL of the organization, for example https://example.my.salesforce.com',
  );

interface SalesforceInput {
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly accessToken?: string | undefined;
  readonly instanceUrl?: string | undefined;
}

/** Returns the first field that does not fit either way to sign in. */
function faultOf(input: SalesforceInput): readonly [field: keyof SalesforceInput, message: string] | undefined {
  const bySecret = input.clientId !== undefined || input.clientSecret !== undefined;
  const byToken = input.accessToken !== undefined || input.instanceUrl !== undefined;
  if (bySecret && byToken) return ['accessToken', 'cannot be combined with clientId and clientSecret'];
  if (byToken && input.accessToken === undefined) return ['accessToken', 'is required with instanceUrl'];
  if (byToken && input.instanceUrl === undefined) return ['instanceUrl', 'is required with accessToken'];
  if (bySecret && input.clientSecret === undefined) return ['clientSecret', 'is required with clientId'];
  if (input.clientId !== undefined || byToken) return undefined;
  return ['clientId', 'is required, with clientSecret; or accessToken with instanceUrl'];
}

const toCredentials = ({
  clientId,
  clientSecret,
  accessToken = '',
  instanceUrl: url = '',
}: SalesforceInput): SalesforceCredentials =>
  clientId !== undefined && clientSecret !== undefined ? { clientId, clientSecret } : { accessToken, instanceUrl: url };

/** Records of a Salesforce organization, and its files (`ContentVersion`). */
export const salesforceType = defineType({
  name: 'salesforce',
  acceptsFiles: false,
  config: z.strictObject({
    objects: objects.optional(),
    soqlFilter: soqlFilter.optional(),
    principals: principals.optional(),
  }),
  credentials: z
    .strictObject({
      clientId: secret.optional(),
      clientSecret: secret.optional(),
      accessToken: secret.optional(),
      instanceUrl: instanceUrl.optional(),
    })
    .superRefine((input, context) => {
      const fault = faultOf(input);
      if (fault !== undefined) context.addIssue({ code: 'custom', path: [fault[0]], message: fault[1] });
    }),
  open: ({ config, credentials, host }) => {
    const { objects: names = [], soqlFilter: filter = '' } = config;
    const settings = {
      objects: names.length === 0 ? undefined : names,
      soqlFilter: filter === '' ? undefined : filter,
      credentials: toCredentials(credentials),
    };
    return openSalesforce(settings, host);
  },
});
