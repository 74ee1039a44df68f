import { z } from 'zod';
import { openJira } from '#jira/jira-connector';
import { faultOfJql } from '#jira/jql';
import { defineType } from '#settings/connector-type';

const projectKey = z
  .string()
  .trim()
  .max(255)
  .regex(/^[A-Za-z][A-Za-z0-9_]*$/, 'must be the key of a project, for example DOCS')
  .transform((key) => key.toUpperCase());

const projects = z
  .union([projectKey.transform((key) => [key]), z.array(projectKey)], 'must be a list of project keys')
  .transform((keys) => [...new Set(keys)])
  .pipe(z.array(z.string()).max(1_000));

const jql = z
  .string()
  .trim()
  .max(4_000)
  .superRefine((filter, context) => {
    const fault = filter === '' ? undefined : faultOfJql(filter);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
  });

const baseUrl = z
  .url({ protocol: /^https?$/, error: 'must be the URL of the site, for example https://example.atlassian.net' })
  .max(2_048)
  .refine((text) => {
    const url = URL.parse(text);
    return url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  }, 'must not contain a user, password, query or fragment');

const secret = z.string().trim().min(1, 'must not be empty').max(4_096);

/** Issues of Jira, Cloud or Data Center, with their comments. */
export const jiraType = defineType({
  name: 'jira',
  acceptsFiles: false,
  endpointFields: ['baseUrl'],
  config: z.strictObject({ baseUrl, projects: projects.optional(), jql: jql.optional() }),
  credentials: z
    .strictObject({
      email: z.email('must be an email address').optional(),
      apiToken: secret.optional(),
      token: secret.optional(),
    })
    .superRefine(({ email, apiToken, token }, context) => {
      const cloud = email !== undefined || apiToken !== undefined;
      const report = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
      if (cloud && token !== undefined) report('token', 'is for Data Center, without email and apiToken');
      else if (cloud && email === undefined) report('email', 'is required with apiToken');
      else if (cloud && apiToken === undefined) report('apiToken', 'is required with email');
      else if (token === undefined && !cloud)
        report('email', 'is required, with apiToken (Cloud); or token (Data Center)');
    }),
  open: ({ config, credentials, host }) => {
    const { email, apiToken, token = '' } = credentials;
    const login = email !== undefined && apiToken !== undefined ? { email, apiToken } : { token };
    const { baseUrl: url, projects: keys = [], jql: filter = '' } = config;
    const settings = { baseUrl: url, projects: keys, jql: filter === '' ? undefined : filter, credentials: login };
    return openJira(settings, host);
  },
});
