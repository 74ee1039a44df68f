import { z } from 'zod';
import { serverUrl } from '#settings/server-url';

// The settings that Confluence and Jira share.

/** The address of a site. */
export const siteUrl = serverUrl('must be the URL of the site, for example https://example.atlassian.net');

const secret = z.string().trim().min(1, 'must not be empty').max(4_096);

/** An email and API token for Cloud, or a personal access token for Data Center. */
export type AtlassianLogin = { readonly email: string; readonly apiToken: string } | { readonly token: string };

const fields = z.strictObject({
  email: z.email('must be an email address').optional(),
  apiToken: secret.optional(),
  token: secret.optional(),
});

export const atlassianCredentials = fields.superRefine(({ email, apiToken, token }, context) => {
  const cloud = email !== undefined || apiToken !== undefined;
  const report = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
  if (cloud && token !== undefined) report('token', 'is for Data Center, without email and apiToken');
  else if (cloud && email === undefined) report('email', 'is required with apiToken');
  else if (cloud && apiToken === undefined) report('apiToken', 'is required with email');
  else if (token === undefined && !cloud) report('email', 'is required, with apiToken (Cloud); or token (Data Center)');
});

/** Returns the login in validated credentials. */
export const loginOf = ({ email, apiToken, token = '' }: z.infer<typeof fields>): AtlassianLogin =>
  email !== undefined && apiToken !== undefined ? { email, apiToken } : { token };
