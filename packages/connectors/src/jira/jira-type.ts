import { z } from 'zod';
import { openJira } from '#jira/jira-connector';
import { faultOfJql } from '#jira/jql';
import { atlassianCredentials, loginOf, siteUrl } from '#settings/atlassian-settings';
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

/** Issues of Jira, Cloud or Data Center, with their comments. */
export const jiraType = defineType({
  name: 'jira',
  acceptsFiles: false,
  endpointFields: ['baseUrl'],
  config: z.strictObject({ baseUrl: siteUrl, projects: projects.optional(), jql: jql.optional() }),
  credentials: atlassianCredentials,
  open: ({ config, credentials, host }) => {
    const { baseUrl: url, projects: keys = [], jql: filter = '' } = config;
    const settings = {
      baseUrl: url,
      projects: keys,
      jql: filter === '' ? undefined : filter,
      credentials: loginOf(credentials),
    };
    return openJira(settings, host);
  },
});
